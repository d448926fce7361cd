"""XGBoost prints its own ndcg@10 after each round of training, next to the same from idealrank, and trec_eval's AP."""

import xgboost
from queries import made

from idealrank.integrations.xgboost import custom_metric

train, test = made(seed=1), made(seed=2)
trained_on = xgboost.DMatrix(train.features, label=train.grades, qid=train.groups)
tested_on = xgboost.DMatrix(test.features, label=test.grades, qid=test.groups)


def trained(metric):
    """Train a model, and return what XGBoost recorded."""
    history = {}
    xgboost.train(
        {"objective": "rank:ndcg", "eval_metric": "ndcg@10", "nthread": 1},
        trained_on,
        num_boost_round=5,
        evals=[(tested_on, "test")],
        custom_metric=metric,
        evals_result=history,
        verbose_eval=False,
    )
    return history["test"]


own, other = trained(custom_metric("nDCG@10")), trained(custom_metric("AP", convention="trec_eval-9.0.8"))
for name, values in {**own, **other}.items():
    print(f"{name:<8}", *(f"{value:.6f}" for value in values))

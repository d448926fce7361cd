"""CatBoost prints its own NDCG:top=10 after each round of training, beside the same from idealrank, and trec_eval's."""

import catboost
from queries import made

from idealrank.integrations.catboost import CustomMetric

train, test = made(seed=1), made(seed=2)
trained_on = catboost.Pool(train.features, train.grades, group_id=train.groups)
tested_on = catboost.Pool(test.features, test.grades, group_id=test.groups)


def trained(metric):
    """Train a model, and return what CatBoost recorded."""
    settings = {"loss_function": "YetiRank", "custom_metric": "NDCG:top=10;type=Base", "eval_metric": metric}
    quiet = {"verbose": False, "allow_writing_files": False, "thread_count": 1, "random_seed": 0}
    model = catboost.CatBoost({**settings, **quiet, "iterations": 5, "depth": 3})
    return model.fit(trained_on, eval_set=tested_on).get_evals_result()["validation"]


own = trained(CustomMetric("nDCG@10", trained_on, tested_on))
other = trained(CustomMetric("nDCG@10", trained_on, tested_on, convention="trec_eval-9.0.8"))
own["trec_eval"] = other["CustomMetric"]
for name, values in own.items():
    print(f"{name:<21}", *(f"{value:.6f}" for value in values))

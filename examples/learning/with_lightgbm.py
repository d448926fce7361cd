"""LightGBM prints its own ndcg@10 after each round of training, next to the same from idealrank, and trec_eval's."""

import lightgbm
from queries import made

from idealrank.integrations.lightgbm import feval

train, test = made(seed=1), made(seed=2)
trained_on = lightgbm.Dataset(train.features, train.grades, group=train.sizes)
tested_on = lightgbm.Dataset(test.features, test.grades, group=test.sizes, reference=trained_on)
settings = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "min_data_in_leaf": 5, "verbosity": -1}

history: dict[str, dict[str, list[float]]] = {}
lightgbm.train(
    settings | {"num_threads": 1},
    trained_on,
    num_boost_round=5,
    valid_sets=[tested_on],
    valid_names=["test"],
    feval=[feval("nDCG@10"), feval("AP", convention="trec_eval-9.0.8")],
    callbacks=[lightgbm.record_evaluation(history)],
)
for name, values in history["test"].items():
    print(f"{name:<8}", *(f"{value:.6f}" for value in values))

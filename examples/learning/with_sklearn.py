"""scikit-learn validates and selects a model by its own ndcg_score, averaged over queries, and by LightGBM's nDCG."""

import sklearn
from queries import made
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score

from idealrank.integrations.sklearn import scorer

sklearn.set_config(enable_metadata_routing=True)
train = made(seed=1)
folds = GroupKFold(3)

for convention in ("sklearn", "lightgbm"):
    scoring = scorer("nDCG@10", convention=convention)
    values = cross_val_score(
        Ridge(), train.features, train.grades, cv=folds, scoring=scoring, params={"groups": train.groups}
    )
    print(f"{convention:<8}", *(f"{value:.6f}" for value in values))

search = GridSearchCV(Ridge(), {"alpha": [0.1, 1000.0]}, cv=folds, scoring=scorer("RR", convention="trec_eval-9.0.8"))
search.fit(train.features, train.grades, groups=train.groups)
print("best", search.best_params_, f"{search.best_score_:.6f}")

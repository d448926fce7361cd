"""Gwet's AC1 and AC2 and Fleiss' kappa with gaps, and the standard errors of AC, by the package irrCAC."""

import pandas as pd
import ratings
from irrCAC.raw import CAC

WEIGHTS = {"nominal": "identity", "ordinal": "ordinal", "interval": "quadratic", "ratio": "ratio"}


def row(table):
    """AC with its error on each scale, and Fleiss' kappa."""
    said = {}
    for scale, weights in WEIGHTS.items():
        if scale == "ratio" and (table == 0).any():
            continue  # the package refuses a grade of 0 there
        cac = CAC(pd.DataFrame(table.T), weights=weights, digits=15)
        found = cac.gwet()["est"]
        said[scale] = [float(found["coefficient_value"]), float(found["se"])]
    said["fleiss"] = float(CAC(pd.DataFrame(table.T), digits=15).fleiss()["est"]["coefficient_value"])
    return said


if __name__ == "__main__":
    ratings.write("irrcac", "irrCAC", [row(table) for table in ratings.tables()])

"""Alpha on four scales, by the package krippendorff."""

import krippendorff
import ratings

LEVELS = ("nominal", "ordinal", "interval", "ratio")

if __name__ == "__main__":
    ratings.write(
        "krippendorff",
        "krippendorff",
        [
            {level: float(krippendorff.alpha(reliability_data=table, level_of_measurement=level)) for level in LEVELS}
            for table in ratings.tables()
        ],
    )

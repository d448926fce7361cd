"""Ragas: context precision and recall of ids, and the average precision of verdicts."""

from idealrank.conventions.convention import Convention

CONVENTIONS = (
    Convention(
        name="ragas",
        tool="Ragas",
        version="0.4.3",
        about="Precision and recall compare sets of ids, so their order does not matter and there is no cutoff. "
        "context_precision is average precision over verdicts on the results, which a model gives there; here the "
        "judgments are the verdicts.",
        answers={"ties": "given", "duplicates": "first", "relevant_from": "positive"},
        sources={
            "ties": "contexts as retrieved",
            "duplicates": "_context_precision.py and _context_recall.py: sets of ids",
            "relevant_from": "every id of reference_context_ids",
        },
        by_measure={
            "P": {"no_results": "skip", "no_judgments": "0"},
            "R": {"no_relevant": "skip"},
            "AP": {"ap_denominator": "hits"},
        },
        sources_by_measure={
            "P": {
                "no_results": "IDBasedContextPrecision: NaN without retrieved ids, which safe_nanmean leaves out",
                "no_judgments": "IDBasedContextPrecision: no id is in an empty reference",
            },
            "R": {"no_relevant": "IDBasedContextRecall: NaN without reference ids, which safe_nanmean leaves out"},
            "AP": {"ap_denominator": "_calculate_average_precision: the sum of the verdicts, plus 1e-10"},
        },
        names={
            "id_based_context_precision": "P",
            "id_based_context_recall": "R",
            "context_precision": "AP",
            "llm_context_precision_with_reference": "AP",
            "non_llm_context_precision_with_reference": "AP",
        },
        measures=frozenset({"P", "R", "AP"}),
        faults=(
            "context_precision never counts what was missed: one relevant result at rank 1 gives 1, regardless of how "
            "many relevant documents were not returned.",
            "context_precision counts a context returned twice twice; here it counts once.",
            "A query with neither results nor relevant documents is left out of the mean of recall there; here it "
            "counts 0.",
            "Precision and recall average over different queries if a query has no results or no relevant documents.",
        ),
    ),
)

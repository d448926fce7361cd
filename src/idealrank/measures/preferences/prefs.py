"""The measures of preferences, which differ in what they count and in what they divide it by.

A judgment group is a subtopic, or a user, where the judgments name any; else the query is one group.
Preferences by subgroups (trec_eval ``-R prefs``) are not read. Its promises hold of one group: where
several contradict each other, no order fulfils all.
"""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.preferences.fulfilment import averaged, balanced, counted, held, paired, simple
from idealrank.measures.preferences.groups import ALL, IMPLIED, RETURNED
from idealrank.measures.steps import Steps


def simp(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Preferences fulfilled / preferences, those of all judgment groups together.

    Of two documents the one of the higher grade is preferred, and the preference fulfilled where it stands
    first. A returned document stands before one that was not; of two that were not, the preference is not
    fulfilled. A result without a judgment plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_simp``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_simp"])["prefs_simp"], 4)
    0.375
    """
    return simple(lists, decisions, ALL)


def simp_imp(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Preferences fulfilled / preferences with a returned document, those of all judgment groups together.

    Of two documents the one of the higher grade is preferred, and the preference fulfilled where it stands
    first. A returned document stands before one that was not; preferences between two that were not do not
    count. A result without a judgment plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_simp_imp``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_simp_imp"])["prefs_simp_imp"], 4)
    0.4286
    """
    return simple(lists, decisions, IMPLIED)


def simp_ret(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Preferences fulfilled / preferences between returned documents, those of all judgment groups together.

    Of two documents the one of the higher grade is preferred, and the preference fulfilled where it stands
    first. Preferences with a document that was not returned do not count. A result without a judgment plays
    no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_simp_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_simp_ret"])["prefs_simp_ret"], 4)
    0.6667
    """
    return simple(lists, decisions, RETURNED)


def pair(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the pairs of documents of preferences fulfilled / preferences between the two.

    Pairs of which no group prefers one do not count. Of two documents a group prefers the one of the higher
    grade. A returned document stands before one that was not; of two that were not, the preference is not
    fulfilled. A result without a judgment plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_pair``.

    Examples
    --------
    >>> import idealrank as ir
    >>> users, grades = ["ann"] * 4 + ["bo"] * 2, [2, 1, 0, 1, 0, 1]
    >>> judgments = {"query": ["q"] * 6, "subtopic": users, "doc": [*"ABCDAB"], "grade": grades}
    >>> results = {"q": {"A": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(judgments, results, ["prefs_pair"])["prefs_pair"], 4)
    0.7
    """
    return paired(lists, decisions, ALL)


def pair_imp(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the pairs of documents with a returned one of preferences fulfilled / preferences between the two.

    Pairs of which no group prefers one do not count. Of two documents a group prefers the one of the higher
    grade. A returned document stands before one that was not; preferences between two that were not do not
    count. A result without a judgment plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_pair_imp``.

    Examples
    --------
    >>> import idealrank as ir
    >>> users, grades = ["ann"] * 4 + ["bo"] * 2, [2, 1, 0, 1, 0, 1]
    >>> judgments = {"query": ["q"] * 6, "subtopic": users, "doc": [*"ABCDAB"], "grade": grades}
    >>> results = {"q": {"A": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(judgments, results, ["prefs_pair_imp"])["prefs_pair_imp"], 4)
    0.875
    """
    return paired(lists, decisions, IMPLIED)


def pair_ret(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the pairs of returned documents of preferences fulfilled / preferences between the two.

    Pairs of which no group prefers one do not count. Of two documents a group prefers the one of the higher
    grade. Preferences with a document that was not returned do not count. A result without a judgment plays
    no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_pair_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> users, grades = ["ann"] * 4 + ["bo"] * 2, [2, 1, 0, 1, 0, 1]
    >>> judgments = {"query": ["q"] * 6, "subtopic": users, "doc": [*"ABCDAB"], "grade": grades}
    >>> results = {"q": {"A": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(judgments, results, ["prefs_pair_ret"])["prefs_pair_ret"], 4)
    0.5
    """
    return paired(lists, decisions, RETURNED)


def avgjg(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the judgment groups of preferences fulfilled / preferences.

    A group without a preference counts 0; 0/0 where no group has one. Of two documents a group prefers the
    one of the higher grade. A returned document stands before one that was not; of two that were not, the
    preference is not fulfilled. A result without a judgment plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_avgjg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> users, grades = ["ann"] * 4 + ["bo"] * 2, [2, 1, 0, 1, 0, 1]
    >>> judgments = {"query": ["q"] * 6, "subtopic": users, "doc": [*"ABCDAB"], "grade": grades}
    >>> results = {"q": {"A": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(judgments, results, ["prefs_avgjg"])["prefs_avgjg"], 4)
    0.4
    """
    return averaged(lists, decisions, ALL)


def avgjg_imp(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the judgment groups of preferences fulfilled / preferences with a returned document.

    A group without a preference counts 0; 0/0 where no group has one. Of two documents a group prefers the
    one of the higher grade. A returned document stands before one that was not; preferences between two that
    were not do not count. A result without a judgment plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_avgjg_imp``.

    Examples
    --------
    >>> import idealrank as ir
    >>> users, grades = ["ann"] * 4 + ["bo"] * 2, [2, 1, 0, 1, 0, 1]
    >>> judgments = {"query": ["q"] * 6, "subtopic": users, "doc": [*"ABCDAB"], "grade": grades}
    >>> results = {"q": {"A": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(judgments, results, ["prefs_avgjg_imp"])["prefs_avgjg_imp"], 4)
    0.5
    """
    return averaged(lists, decisions, IMPLIED)


def avgjg_ret(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the judgment groups of preferences fulfilled / preferences between returned documents.

    A group without a preference counts 0; 0/0 where no group has one. Of two documents a group prefers the
    one of the higher grade. Preferences with a document that was not returned do not count. A result without
    a judgment plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_avgjg_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> users, grades = ["ann"] * 4 + ["bo"] * 2, [2, 1, 0, 1, 0, 1]
    >>> judgments = {"query": ["q"] * 6, "subtopic": users, "doc": [*"ABCDAB"], "grade": grades}
    >>> results = {"q": {"A": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(judgments, results, ["prefs_avgjg_ret"])["prefs_avgjg_ret"], 4)
    0.5
    """
    return averaged(lists, decisions, RETURNED)


def avgjg_rnonrel(lists: JudgedLists, decisions: Decisions) -> Steps:
    """prefs_avgjg, each group with as many documents that are not relevant as relevant ones.

    Relevant is here what has a grade above 0, and 0/0 is a query of which a group has no preference left.
    Where a group has more other documents, only as many count, the first ones, those not returned last; the
    lowest grade is then compared with itself, too, as in trec_eval. Where it has fewer, documents that were
    not returned are added, each worse than every relevant one.

    A returned document stands before one that was not; of two that were not, the preference is not fulfilled.
    A result without a judgment plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_avgjg_Rnonrel``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_avgjg_Rnonrel"])["prefs_avgjg_Rnonrel"], 4)
    0.45
    """
    return balanced(lists, decisions, only_returned=False)


def avgjg_rnonrel_ret(lists: JudgedLists, decisions: Decisions) -> Steps:
    """prefs_avgjg_ret, each group with as many documents that are not relevant as relevant ones.

    Relevant is here what has a grade above 0, and 0/0 is a query of which a group has no preference left.
    Where a group has more other documents, only as many count, the first ones; the lowest grade is then
    compared with itself, too, as in trec_eval. Where it has fewer, documents that were not returned are
    added, each worse than every relevant one.

    Preferences with a document that was not returned do not count. A result without a judgment plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_avgjg_Rnonrel_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_avgjg_Rnonrel_ret"])["prefs_avgjg_Rnonrel_ret"], 4)
    0.5714
    """
    return balanced(lists, decisions, only_returned=True)


def num_prefs_poss(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Number of preferences: pairs of documents of different grades in a judgment group; for all queries the sum.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_num_prefs_poss``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_num_prefs_poss"])["prefs_num_prefs_poss"], 4)
    8.0
    """
    return held(lists, decisions)


def num_prefs_ful(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Number of preferences fulfilled; the line for all queries is the sum.

    Of two documents a group prefers the one of the higher grade, and the preference is fulfilled where that
    stands first. A returned document stands before one that was not returned. A result without a judgment
    plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_num_prefs_ful``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_num_prefs_ful"])["prefs_num_prefs_ful"], 4)
    3.0
    """
    return counted(lists, decisions, IMPLIED)


def num_prefs_ful_ret(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Number of preferences between returned documents that are fulfilled; the line for all queries is the sum.

    Of two documents a group prefers the one of the higher grade, and the preference is fulfilled where that
    stands first. A result without a judgment plays no part.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_num_prefs_ful_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_num_prefs_ful_ret"])["prefs_num_prefs_ful_ret"], 4)
    2.0
    """
    return counted(lists, decisions, RETURNED)

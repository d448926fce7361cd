"""Haystack's evaluators, which compare the ids of documents here; ground truth has the grades of relevant documents."""

import haystack_numbers

haystack_numbers.write("haystack")

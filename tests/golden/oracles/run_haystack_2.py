"""Haystack's evaluators before 3.1, where MAP was divided by the relevant documents found."""

import haystack_numbers

haystack_numbers.write("haystack_2")

"""Oracles that are other tools than trec_eval: run where they install, else their printed numbers or formulas."""

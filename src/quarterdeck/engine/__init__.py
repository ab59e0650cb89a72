"""Any game, run: `Match` (state and log), records, fairness, and compiled loops over the rules."""

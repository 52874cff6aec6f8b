"""The paper's benchmark (section 5, appendices B.9 to B.13): simulated people live with each arm
for days, and a judge marks what came of it. See docs/evaluation.md."""

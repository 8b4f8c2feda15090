"""A review on its pull request: what is said, where, and what is done about what was said before.

marker.py     the hidden JSON in each of our comments, and whose are believed
anchors.py    the lines of a hunk that a comment can stand on, and where a suggestion can be applied
standing.py   findings and the threads that speak of them: fresh, still there, moved, fixed, silent
comment.py    what an inline comment says
summary.py    what the one summary comment says, while it runs and at the end
checkrun.py   the check run: conclusion, annotations, actions
cap.py        bodies within GitHub's limits, free of secrets
requests.py   each write, as a Request
posting.py    the order in which they are sent, and what is done where one is refused
"""

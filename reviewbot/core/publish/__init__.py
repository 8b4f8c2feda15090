"""A review on its pull request: what is said, where, and what is done about what was said before.

marker.py     the hidden JSON in each of our comments, and whose are believed
standing.py   findings and the threads that speak of them: fresh, still there, moved, fixed, silent
anchors.py    the lines of a hunk that a comment can stand on, and where a suggestion can be applied
comment.py    what an inline comment says
summary.py    what the one summary comment says, while it runs and at the end
checkrun.py   the check run: conclusion, annotations, actions
headline.py   the line that says what was found
table.py      defect -> cost -> fix: a row for each kind of defect, and its places
ran.py        what the gates did
page.py       where each finding stands by then, for the summary
cap.py        bodies within GitHub's limits, free of secrets
requests.py   each write, as a Request
delivery.py   the new comments, sent as one review, and read back
threads.py    what is said in threads that stand already
posting.py    the order in which all of it is sent, and what is done where a step is refused

commands.py   commands of people: who is heard, what is answered, what of it is remembered
naming.py     which finding a command means
narrow.py     the answer to `review path/…`
telling.py    the answers to commands that only ask
manual.py     the commands, as people are told of them
"""

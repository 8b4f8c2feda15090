"""A patch to bend: one file, one hunk, ids that no repository has."""

EDIT = b"""diff --git a/run.sh b/run.sh
index 1111111..2222222 100644
--- a/run.sh
+++ b/run.sh
@@ -10,3 +10,4 @@ main() {
 a
-b
+B
+C
 d
"""

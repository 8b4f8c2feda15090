"""The trees of the cases hold tests of their own, which are none of ours."""

collect_ignore_glob = ["*/base/*", "*/head/*"]

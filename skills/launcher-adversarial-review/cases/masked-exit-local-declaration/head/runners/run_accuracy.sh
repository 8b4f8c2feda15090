#!/usr/bin/env bash

accuracy_of() {
    local score=$(python3 eval_accuracy.py --model "$1" --task gsm)
    if [ $? -ne 0 ]; then
        echo "the evaluation of $1 failed" >&2
        return 1
    fi
    echo "$score"
}

accuracy_of "$MODEL" >score.txt || exit 1
test -s score.txt || exit 1

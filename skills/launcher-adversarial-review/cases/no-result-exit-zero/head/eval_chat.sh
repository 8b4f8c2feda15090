#!/bin/sh
python3 eval_chat.py --model "$MODEL" --output-path scores.json
exit 0

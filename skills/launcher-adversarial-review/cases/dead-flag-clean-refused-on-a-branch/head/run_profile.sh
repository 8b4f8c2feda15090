#!/usr/bin/env bash
set -euo pipefail

backend=${BACKEND:-cuda}
trace=${TRACE_FILE:-}
case "$backend" in
    cuda)
        python3 run_model.py --backend cuda ${trace:+--trace "$trace"}
        ;;
    cpu)
        if [ -n "$trace" ]; then
            echo "TRACE_FILE has no effect with BACKEND=cpu" >&2
            exit 2
        fi
        python3 run_model.py --backend cpu
        ;;
    *)
        echo "unknown BACKEND $backend" >&2
        exit 2
        ;;
esac

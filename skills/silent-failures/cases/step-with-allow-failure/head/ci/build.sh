#!/bin/sh
set -eu
npm ci
npm run build

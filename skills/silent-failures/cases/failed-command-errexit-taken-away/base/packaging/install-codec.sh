#!/bin/sh
set -e

version=$1
git clone https://git.example.org/codec.git
cd codec
git checkout "v$version"
./configure --prefix=/opt/codec
make
make install
grep -c codec /etc/ld.so.conf.d/local.conf

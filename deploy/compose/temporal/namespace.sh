#!/bin/sh
# Makes the namespace, where it is not there.
set -eu
until temporal operator cluster health; do sleep 1; done
temporal operator namespace describe -n default || temporal operator namespace create -n default --retention 72h

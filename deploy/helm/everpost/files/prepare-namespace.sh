#!/bin/sh
# Makes the namespace and the search attributes that Everpost needs. Safe to repeat, on any cluster:
#   TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, RETENTION, SEARCH_ATTRIBUTES (names, separated by spaces)
# Runs in temporalio/admin-tools, or wherever the `temporal` CLI is.
set -eu

tries=0
until temporal operator cluster health; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || exit 1
  sleep 2
done

if temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  temporal operator namespace update --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
else
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
fi

# The server's parts learn of a new namespace one after the other.
for name in $SEARCH_ATTRIBUTES; do
  tries=0
  until temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$name" --type Keyword; do
    tries=$((tries + 1))
    [ "$tries" -lt 30 ] || exit 1
    sleep 2
  done
done
echo 'The namespace is ready.'

#!/bin/bash
# Writes a backup of the database `everpost`, as of one moment, to standard output. Runs in the MongoDB container, which
# needs room for it:
#   docker compose exec -T mongodb bash /deploy/backup.sh > everpost.tar
# Its user needs the role `backup` on `admin`; Compose's administrator has it (`root`).
set -euo pipefail
umask 077

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# In a file: arguments of a process can be read by others.
printf 'password: "%s"\n' "$MONGO_ADMIN_PASSWORD" >"$folder/config"
mongodump --quiet --host "${MONGO_SERVER:-127.0.0.1:27017}" --username admin --authenticationDatabase admin \
  --config "$folder/config" --oplog --gzip --out "$folder/dump"
# With --oplog it dumps every database. Without the users, a restore leaves those of its server as they are.
cd "$folder/dump"
tar --create --file - everpost oplog.bson*

#!/bin/bash
# Initiates the replica set and makes MongoDB's two users, with the passwords in /etc/everpost. Run it once, while
# everpost-mongodb.service runs; it can be repeated.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd /etc/everpost
MONGO_HOST=127.0.0.1:27017
MONGO_ADMIN_PASSWORD=$(<mongodb-admin-password)
MONGO_EVERPOST_PASSWORD=$(sed 's#.*://everpost:\([^@]*\)@.*#\1#' mongodb-uri)
export MONGO_HOST MONGO_ADMIN_PASSWORD MONGO_EVERPOST_PASSWORD
# At first it is not a writable primary yet.
for _ in $(seq 30); do
  if mongosh --nodb --quiet "$here/../mongodb/prepare.js" >/dev/null; then exit; fi
  sleep 1
done
echo 'MongoDB has no writable primary after 30 tries: journalctl -u everpost-mongodb' >&2
exit 1

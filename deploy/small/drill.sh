#!/bin/bash
# Proves that a backup can be restored: starts a second MongoDB on a copy of it, and prints what it has.
#   drill.sh /var/backups/everpost/2026-11-29T12-00-00
# Everpost goes on meanwhile. The second MongoDB listens on loopback only, and asks for the same password.
set -euo pipefail
umask 077

backup=${1:?name a backup}
port=${DRILL_PORT:-27099}
mongod=${MONGOD:-mongod}
MONGO_ADMIN_PASSWORD=$(<"${MONGO_ADMIN_PASSWORD_FILE:-/etc/everpost/mongodb-admin-password}")
export MONGO_ADMIN_PASSWORD
started=$SECONDS
# Beside the backup, where blocks can be shared.
copy=$(mktemp -d "$(dirname "$backup")/drill.XXXXXX.part")
pid=
trap '[ -z "$pid" ] || { kill "$pid"; wait "$pid" || true; }; rm -rf "$copy"' EXIT
cp --archive --reflink=auto "$backup/." "$copy"
# Without --replSet: it must not call itself the member of the set.
"$mongod" --auth --dbpath "$copy" --port "$port" --bind_ip 127.0.0.1 --nounixsocket --wiredTigerCacheSizeGB 0.25 \
  --logpath "$copy/drill.log" >/dev/null &
pid=$!
MONGO_SERVER=127.0.0.1:$port mongosh --nodb --quiet --eval "
  let admin;
  for (let tries = 0; admin === undefined; tries += 1) {
    try {
      admin = connect('mongodb://' + process.env.MONGO_SERVER + '/admin?directConnection=true');
    } catch (error) {
      if (tries === 60) throw error;
      sleep(1000);
    }
  }
  admin.auth('admin', process.env.MONGO_ADMIN_PASSWORD);
  const db = admin.getSiblingDB('everpost');
  let problems = 0;
  for (const name of db.getCollectionNames().sort()) {
    const { valid, nrecords } = db.getCollection(name).validate();
    if (!valid) problems += 1;
    print((valid ? 'ok      ' : 'DAMAGED ') + name + ': ' + nrecords + ' documents');
  }
  const newest = db.events.find({}, { accepted_at: 1 }).sort({ _id: -1 }).limit(1).toArray()[0];
  if (newest) print('The newest event is ' + newest._id + ', accepted at ' + new Date(newest.accepted_at.getHighBits() * 1000).toISOString() + '.');
  quit(problems === 0 ? 0 : 1);"
echo "The backup has $(du -sb "$backup" | cut -f1) bytes. It was read within $((SECONDS - started)) s."

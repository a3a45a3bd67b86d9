#!/bin/bash
# Proves that a backup can be restored: makes one, restores it into a second MongoDB beside the first, compares the two and
# says how long it took. Everpost goes on meanwhile. Runs in the MongoDB container, which needs room for a second copy:
#   docker compose exec -T mongodb bash /deploy/drill.sh
set -euo pipefail
umask 077

here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
port=${DRILL_PORT:-27099}
scratch=127.0.0.1:$port
trap 'kill "$mongod" 2>/dev/null; wait "$mongod" 2>/dev/null; rm -rf "$folder"' EXIT

head -c 96 /dev/urandom | base64 -w 0 >"$folder/key"
mkdir "$folder/data"
mongod --replSet everpost --keyFile "$folder/key" --dbpath "$folder/data" --port "$port" --bind_ip 127.0.0.1 \
  --wiredTigerCacheSizeGB 0.25 --logpath "$folder/log" >/dev/null &
mongod=$!
for try in $(seq 60); do
  if MONGO_HOST=$scratch mongosh --nodb --quiet "$here/prepare.js" >/dev/null 2>&1; then break; fi
  [ "$try" -lt 60 ] || { tail -n 20 "$folder/log"; exit 1; }
  sleep 1
done

started=$SECONDS
bash "$here/backup.sh" >"$folder/backup"
backed_up=$SECONDS
MONGO_SERVER=$scratch bash "$here/restore.sh" <"$folder/backup" >/dev/null
restored=$SECONDS

SOURCE=${MONGO_SERVER:-127.0.0.1:27017} SCRATCH=$scratch mongosh --nodb --quiet --eval "
  const databaseAt = (server) => {
    const admin = connect('mongodb://' + server + '/admin?directConnection=true');
    admin.auth('admin', process.env.MONGO_ADMIN_PASSWORD);
    return admin.getSiblingDB('everpost');
  };
  const [source, copy] = [process.env.SOURCE, process.env.SCRATCH].map(databaseAt);
  let problems = 0;
  for (const name of source.getCollectionNames().sort()) {
    const [now, then] = [source, copy].map((db) => db.getCollection(name).estimatedDocumentCount());
    const indexes = [source, copy].map((db) => db.getCollection(name).getIndexes().map((index) => index.name).sort().join());
    // The source has gone on, so it may have more by now, or less of what expires.
    const isMissing = (now > 0 && then === 0) || indexes[0] !== indexes[1];
    if (isMissing) problems += 1;
    print((isMissing ? 'PROBLEM ' : 'ok      ') + name + ': ' + then + ' of ' + now + ' documents');
  }
  quit(problems === 0 ? 0 : 1);"
echo "The backup has $(stat -c %s "$folder/backup") bytes. It took $((backed_up - started)) s, the restore $((restored - backed_up)) s."

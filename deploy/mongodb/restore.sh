#!/bin/bash
# Replaces the database `everpost` by the backup on standard input. Stop every API and worker first. Runs in the MongoDB
# container:
#   docker compose exec -T mongodb bash /deploy/restore.sh < everpost.tar
# Users and passwords of MongoDB stay as they are.
set -euo pipefail
umask 077

server=${MONGO_SERVER:-127.0.0.1:27017}
folder=$(mktemp -d)
RESTORE_PASSWORD=$(head -c 24 /dev/urandom | base64 -w 0 | tr '+/' 'ab')
export RESTORE_PASSWORD
# Replaying the oplog needs a right that not even `root` has. A user has it for as long as this runs. The backup is on
# standard input, so mongosh must not read that.
as_admin() {
  mongosh --nodb --quiet --eval "
    const admin = connect('mongodb://$server/admin?directConnection=true');
    admin.auth('admin', process.env.MONGO_ADMIN_PASSWORD);
    $1" </dev/null >/dev/null
}
clean_up() {
  as_admin "
    if (admin.getUser('everpost-restore')) admin.dropUser('everpost-restore');
    if (admin.getRole('replayOplog')) admin.dropRole('replayOplog');"
}
trap 'rm -rf "$folder"; clean_up' EXIT
# A run that was killed may have left them.
clean_up
as_admin "
  const privileges = [{ resource: { anyResource: true }, actions: ['anyAction'] }];
  admin.createRole({ role: 'replayOplog', privileges, roles: [] });
  admin.createUser({ user: 'everpost-restore', pwd: process.env.RESTORE_PASSWORD, roles: ['restore', 'replayOplog'] });"
printf 'password: "%s"\n' "$RESTORE_PASSWORD" >"$folder/config"
mkdir "$folder/dump"
tar --extract --directory "$folder/dump"
mongorestore --host "$server" --username everpost-restore --authenticationDatabase admin --config "$folder/config" \
  --oplogReplay --drop --gzip "$folder/dump"
echo 'The database is restored.'

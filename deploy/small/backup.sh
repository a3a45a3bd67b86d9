#!/bin/bash
# Copies MongoDB's files as of one moment: `backup.sh` (docs/small.md). Writes wait while the files are copied: on a file
# system that shares blocks (XFS, Btrfs) that takes a moment, on another as long as the copy.
# `backup.sh unlock` lets MongoDB write again after a backup that was killed.
set -euo pipefail
umask 077

data=${MONGODB_DATA:-/var/lib/everpost-mongodb}
backups=${BACKUPS:-/var/backups/everpost}
kept=${BACKUPS_KEPT:-24}
server=${MONGO_SERVER:-127.0.0.1:27017}
# In a file that only root reads: arguments of a process can be read by others.
MONGO_ADMIN_PASSWORD=$(<"${MONGO_ADMIN_PASSWORD_FILE:-/etc/everpost/mongodb-admin-password}")
export MONGO_ADMIN_PASSWORD

as_admin() {
  mongosh --nodb --quiet --eval "
    const admin = connect('mongodb://$server/admin?directConnection=true');
    admin.auth('admin', process.env.MONGO_ADMIN_PASSWORD);
    $1" </dev/null >/dev/null
}
unlock() {
  as_admin 'while (admin.currentOp().fsyncLock) admin.fsyncUnlock();'
}

if [ "${1:-}" = unlock ]; then
  unlock
  exit
fi
mkdir -p "$backups"
rm -rf "$backups"/*.part
new=$backups/$(date -u +%Y-%m-%dT%H-%M-%S)
trap unlock EXIT
as_admin 'if (admin.fsyncLock().ok !== 1) throw new Error("MongoDB does not lock");'
cp --archive --reflink=auto "$data" "$new.part"
unlock
trap - EXIT
rm -f "$new.part/mongod.lock"
# On the disk before it has its name.
sync --file-system "$new.part"
mv "$new.part" "$new"
find "$backups" -mindepth 1 -maxdepth 1 -type d -name '????-??-??T*' | sort | head -n "-$kept" | xargs -r rm -rf
echo "$new"

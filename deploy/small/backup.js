// Copies MongoDB's files as of one moment (docs/small.md): `mongosh --nodb --quiet backup.js`, as root. Writes wait while the
// files are copied: on a file system that shares blocks (XFS, Btrfs) that takes a moment, on another as long as the copy.
// With ONLY_UNLOCK=1 it lets MongoDB write again after a backup that was killed.
/* global connect, print, process, require */

const { execFileSync } = require('node:child_process');
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const DATA = process.env.MONGODB_DATA ?? '/var/lib/everpost-mongodb';
const BACKUPS = process.env.BACKUPS ?? '/var/backups/everpost';
const KEPT = Number(process.env.BACKUPS_KEPT ?? 2);
const SERVER = process.env.MONGO_SERVER ?? '127.0.0.1:27017';
const PASSWORD_FILE = process.env.MONGO_ADMIN_PASSWORD_FILE ?? '/etc/everpost/mongodb-admin-password';

const admin = connect(`mongodb://${SERVER}/admin?directConnection=true`);
admin.auth('admin', readFileSync(PASSWORD_FILE, 'utf8').trim());

function unlock() {
  try {
    while (Number(admin.runCommand({ fsyncUnlock: 1 }).lockCount) > 0);
  } catch (error) {
    // It is not locked.
    if (!error.message.includes('not locked')) throw error;
  }
}

function backUp() {
  process.umask(0o077);
  mkdirSync(BACKUPS, { recursive: true });
  const names = readdirSync(BACKUPS);
  // Of one that was killed.
  for (const name of names.filter((it) => it.endsWith('.part'))) rmSync(join(BACKUPS, name), { recursive: true });
  const name = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const part = join(BACKUPS, `${name}.part`);
  const from = Date.now();
  admin.runCommand({ fsync: 1, lock: true });
  try {
    execFileSync('cp', ['--archive', '--reflink=auto', DATA, part]);
  } finally {
    unlock();
  }
  const lockedMs = Date.now() - from;
  rmSync(join(part, 'mongod.lock'), { force: true });
  // It is on the disk before it has its name.
  execFileSync('sync', ['--file-system', part]);
  renameSync(part, join(BACKUPS, name));
  const all = readdirSync(BACKUPS).filter((it) => /^\d{4}-\d\d-\d\dT[\d-]{8}$/.test(it));
  for (const old of all.sort().slice(0, -KEPT)) rmSync(join(BACKUPS, old), { recursive: true });
  print(`${join(BACKUPS, name)}: writes waited for ${lockedMs} ms`);
}

if (process.env.ONLY_UNLOCK) unlock();
else backUp();

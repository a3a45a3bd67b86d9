// Run by mongosh inside the MongoDB container, as its health check: `mongosh --nodb --quiet prepare.js`.
// Initiates the replica set, makes the users, and is content once the server is a writable primary. Safe to repeat.
// Until the first user exists MongoDB lets connections from its own machine do exactly that ("localhost exception").
/* global connect, process, quit */

const REPLICA_SET = 'everpost';
const HOST = process.env.MONGO_HOST ?? 'mongodb:27017';
const ADMIN_PASSWORD = process.env.MONGO_ADMIN_PASSWORD;
const EVERPOST_PASSWORD = process.env.MONGO_EVERPOST_PASSWORD;

const admin = connect(`mongodb://127.0.0.1:${HOST.split(':')[1]}/admin?directConnection=true`);

if (!admin.hello().setName) {
  admin.runCommand({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host: HOST }] } });
}
if (!admin.hello().isWritablePrimary) {
  print('not a writable primary yet');
  quit(1);
}

function signIn() {
  try {
    return admin.auth('admin', ADMIN_PASSWORD).ok === 1;
  } catch {
    return false;
  }
}

if (!signIn()) {
  admin.createUser({ user: 'admin', pwd: ADMIN_PASSWORD, roles: ['root'] });
  signIn();
}

// Reads, writes, indexes (dbAdmin changes the retention's) and change streams on its own database; nothing else.
const everpost = admin.getSiblingDB('everpost');
if (!everpost.getUser('everpost')) {
  const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: 'everpost' }));
  everpost.createUser({ user: 'everpost', pwd: EVERPOST_PASSWORD, roles });
}

// node test/image/deliver.mjs <command that runs a program in the image…>
// Runs the image's API and worker against a MongoDB and a Temporal on loopback, and waits for the delivery of one event.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { loadConfig } = require('../../dist/src/config.js');
const { startThrowawayServers } = require('../../dist/dev/servers.js');
const { freePort } = require('../../dist/dev/ports.js');

const PATIENCE_MS = 120_000;
const print = (line) => process.stdout.write(`   ${line}\n`);
const [program, ...start] = process.argv.slice(2);
const servers = await startThrowawayServers({ config: loadConfig(), onProgress: print });

let timer;
let receiver;
const received = new Promise((resolve, reject) => {
  timer = setTimeout(() => reject(new Error('nothing was delivered in two minutes')), PATIENCE_MS);
  receiver = createServer((request, response) => {
    response.end();
    resolve(request.headers);
  }).listen(0, '127.0.0.1');
});
await once(receiver, 'listening');
const target = receiver.address().port;

const port = await freePort();
const settings = {
  PORT: port,
  HOST: '127.0.0.1',
  METRICS_PORT: 0,
  MONGODB_URI: servers.mongod.uri,
  TEMPORAL_ADDRESS: servers.temporal.address,
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  // A workflow makes the attempt, so that the worker has to run too.
  FIRST_ATTEMPT: 'workflow',
  // The receiver is on this machine.
  DELIVERY_ALLOW_HTTP: 1,
  DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
  DELIVERY_ALLOW_PORTS: target,
  EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION: 1,
};
const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
const inImage = (...command) => [...start.slice(0, -1), ...env, start.at(-1), '--', ...command];
const everpost = (...args) =>
  JSON.parse(execFileSync(program, inImage('everpost', ...args, '--json'), { encoding: 'utf8' }));

const roles = ['api', 'worker'].map((role) =>
  spawn(program, inImage('node', 'dist/src/main.js', role), { stdio: ['ignore', 'pipe', 'inherit'] }),
);
for (const role of roles) role.stdout.on('data', (text) => process.stderr.write(text));

try {
  print(`as user ${execFileSync(program, inImage('id', '-u'), { encoding: 'utf8' }).trim()}`);
  const account = everpost('account', 'create', '--email', 'image@example.com', '--tier', 'team');
  const { key } = everpost('key', 'create', '--account', account.id, '--product', 'weh', '--label', 'image');
  const call = async (path, body) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/webhooks/${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  while (
    !(await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await call('endpoints', { url: `http://127.0.0.1:${target}/`, events: ['*'] });
  await call('events', { type: 'image.tried', data: {} });
  const headers = await received;
  print(`delivered ${headers['x-webhook-type']}, signed ${headers['webhook-signature'].slice(0, 8)}…`);
} finally {
  clearTimeout(timer);
  for (const role of roles) role.kill('SIGTERM');
  await Promise.all(roles.filter(({ exitCode }) => exitCode === null).map((role) => once(role, 'exit')));
  receiver.closeAllConnections();
  receiver.close();
  await servers.close();
}

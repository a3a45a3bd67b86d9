import { join } from 'node:path';
import { runProgram } from '../../../dev/run-program';
import { percentile } from '../../../bench/statistics';
import { createApi } from '../api';
import { alwaysIn, createChecks, type Fault } from '../fault';
import { registerAccount } from '../tenant';
import { pass, within } from '../waiting';

const ACCEPTED_WITHIN_MS = 30_000;
const PROMISE_MS = 1_000;
const WATCHED_MS = 1_500;
const EVERY_MS = 10;

export const keyRevoked: Fault = {
  name: 'key-revoked',
  title: 'a key is revoked by command while it is in use at both APIs',
  criterion: 'refused everywhere in < 1 s',
  ways: alwaysIn('workflow'),
  nightly: 'test/breakage/key-watch and test/time/revocation revoke keys in use',
  async run({ cluster }, counts) {
    const checks = createChecks();
    const delaysMs: number[] = [];
    for (let turn = 0; turn < counts.revocations; turn += 1) {
      const { key, keyId } = await registerAccount(cluster, 'chaos');
      const acceptedAt = cluster.urls.map(() => 0);
      let watching = true;
      const watch = cluster.urls.map(async (url, index) => {
        const api = createApi([url], key);
        while (watching) {
          const sentAt = Date.now();
          const { status } = await api.call('GET', '/endpoints');
          // The moment of the question: an answer may be late for many reasons.
          if (status === 200) acceptedAt[index] = sentAt;
          await pass(EVERY_MS);
        }
      });
      const accepted = await within(ACCEPTED_WITHIN_MS, () => acceptedAt.every((at) => at > 0));
      checks.hold(accepted, 'the key was not accepted before its revocation');
      const revoked = await runProgram(
        process.execPath,
        [join(cluster.build, 'src', 'cli.js'), 'key', 'revoke', '--id', keyId],
        { env: { PATH: '/usr/bin:/bin', MONGODB_URI: cluster.replicaSet.uri } },
      );
      const revokedAt = Date.now();
      checks.hold(revoked.code === 0, `the key could not be revoked: ${revoked.stderr}`);
      await pass(WATCHED_MS);
      watching = false;
      await Promise.all(watch);
      for (const at of acceptedAt) delaysMs.push(Math.max(0, at - revokedAt));
    }
    checks.figure('revocations', counts.revocations);
    checks.figure('accepted after the command, median ms', percentile(delaysMs, 0.5));
    checks.figure('accepted after the command, longest ms', Math.max(...delaysMs));
    checks.hold(Math.max(...delaysMs) < PROMISE_MS, `a revoked key was accepted for ${Math.max(...delaysMs)} ms`);
    return checks.outcome();
  },
};

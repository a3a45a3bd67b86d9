import { fork } from 'node:child_process';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { endWithUs } from '../dev/reaper';
import type { ThrowawayServers } from '../dev/servers';
import { ask } from './child';
import { percentile, rounded } from './statistics';

const CONCURRENCY = 32;
const ROUNDS = 3;

/** Requests a second, the median of three rounds, alternating. */
export interface LimitCost {
  /** A route with a constant body and no middleware. */
  readonly without: number;
  /** The same route behind authentication and limits, with all calls from one account. */
  readonly one_account: number;
  /** The same, with each call from another of 1,000 accounts. */
  readonly thousand_accounts: number;
}

/** Measures what authentication, the limit check and its headers cost a request. */
export async function measureLimitCost(servers: ThrowawayServers, requests: number): Promise<LimitCost> {
  const child = fork(join(__dirname, 'limit-cost-process.js'));
  endWithUs(child);
  const { port, keys } = await ask<{ port: number; keys: string[] }>(
    child,
    { mongodbUri: servers.mongod.uri },
    'listening',
  );
  const url = `http://127.0.0.1:${port}`;
  const rates = { without: [] as number[], one: [] as number[], thousand: [] as number[] };
  // One unmeasured round first, for connections, key cache and code.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const without = await rateOf(`${url}/bare`, requests, () => undefined);
    const one = await rateOf(`${url}/limited`, requests, () => keys[0]);
    const thousand = await rateOf(`${url}/limited`, requests, (index) => keys[index % keys.length]);
    if (round === 0) continue;
    rates.without.push(without);
    rates.one.push(one);
    rates.thousand.push(thousand);
  }
  child.kill('SIGKILL');
  return {
    without: rounded(percentile(rates.without, 0.5), 0),
    one_account: rounded(percentile(rates.one, 0.5), 0),
    thousand_accounts: rounded(percentile(rates.thousand, 0.5), 0),
  };
}

async function rateOf(url: string, requests: number, keyOf: (index: number) => string | undefined): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < requests; index = next++) await call(url, agent, keyOf(index));
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  const seconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  return requests / seconds;
}

function call(url: string, agent: Agent, key: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    get(url, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`the limit benchmark got ${response.statusCode}`));
      });
    }).once('error', reject);
  });
}

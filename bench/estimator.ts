import { fork, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../src/config';
import { endWithUs } from '../dev/reaper';
import { makeThrowawayFolder, startOwnMongod } from '../dev/servers';
import { ask, pause } from './child';
import { rateOf } from './raw-load';
import { percentile, rounded } from './statistics';

const ROUNDS = 7;
const ROUND_MS = 1_000;
const WARM_UP_MS = 2_000;

interface Target {
  readonly child: ChildProcess;
  readonly url: string;
}

/** One operation, called in the same way on both servers. */
interface Case {
  readonly name: string;
  readonly request: string;
}

interface Sample {
  readonly perSecond: number;
  /** CPU time of the server for one answer. */
  readonly microseconds: number;
}

/** 20 items with all kinds of units, from the catalog. */
async function chooseItems(url: string): Promise<object[]> {
  const answer = (await (await fetch(url)).json()) as { services: Record<string, string>[] };
  return answer.services
    .filter((_, index) => index % 10 === 0)
    .slice(0, 20)
    .map(({ provider, service, instance }, index) => ({
      provider,
      service,
      instance,
      quantity: index % 3 === 0 ? index + 0.5 : index + 1,
      ...(index % 4 === 0 && { hoursPerMonth: 200 }),
      ...(index % 5 === 0 && { gbPerMonth: 512.25 }),
    }));
}

function requestText(method: string, body = ''): string {
  const head = [`${method} /api/cost-estimator HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: */*'];
  if (body !== '') head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

async function measure({ child, url }: Target, request: string, durationMs: number): Promise<Sample> {
  const cpu = async (): Promise<number> =>
    (await ask<{ microseconds: number }>(child, { kind: 'cpu' }, 'cpu')).microseconds;
  const before = await cpu();
  const startedAt = performance.now();
  const perSecond = await rateOf(url, request, durationMs);
  const answers = perSecond * ((performance.now() - startedAt) / 1_000);
  return { perSecond, microseconds: ((await cpu()) - before) / answers };
}

/** Measures both servers in turn. @returns medians, and the median of the rounds' ratios */
async function compare(everpost: Target, bare: Target, { request }: Case) {
  for (const target of [everpost, bare]) await measure(target, request, WARM_UP_MS);
  const samples: { everpost: Sample; bare: Sample }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // The order alternates, so that a machine that slows down slows both.
    const order = round % 2 === 0 ? [everpost, bare] : [bare, everpost];
    const first = await measure(order[0]!, request, ROUND_MS);
    const second = await measure(order[1]!, request, ROUND_MS);
    samples.push(round % 2 === 0 ? { everpost: first, bare: second } : { everpost: second, bare: first });
  }
  const median = (of: (sample: (typeof samples)[number]) => number): number => percentile(samples.map(of), 0.5);
  return {
    per_s: rounded(
      median((sample) => sample.everpost.perSecond),
      0,
    ),
    bare_per_s: rounded(
      median((sample) => sample.bare.perSecond),
      0,
    ),
    ratio: rounded(
      median((sample) => sample.everpost.perSecond / sample.bare.perSecond),
      2,
    ),
    cpu_us: rounded(median((sample) => sample.everpost.microseconds)),
    bare_cpu_us: rounded(median((sample) => sample.bare.microseconds)),
    cpu_ratio: rounded(
      median((sample) => sample.bare.microseconds / sample.everpost.microseconds),
      2,
    ),
  };
}

async function main(): Promise<void> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const folder = await makeThrowawayFolder();
  const mongod = await startOwnMongod({ config: loadConfig(), folder, onProgress: say }, 0);
  const children: ChildProcess[] = [];
  const start = async (task: object): Promise<Target> => {
    const child = fork(join(__dirname, 'estimator-process.js'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    children.push(child);
    endWithUs(child);
    const { url } = await ask<{ url: string }>(child, task, 'listening');
    return { child, url: `${url}/api/cost-estimator` };
  };
  try {
    const everpost = await start({ kind: 'everpost', mongodbUri: mongod.uri });
    while ((await fetch(everpost.url)).status !== 200) await pause(100);
    const body = JSON.stringify({ items: await chooseItems(everpost.url) });
    const catalog = await (await fetch(everpost.url)).text();
    const headers = { 'Content-Type': 'application/json' };
    const estimate = await (await fetch(everpost.url, { method: 'POST', headers, body })).text();
    const bare = await start({ kind: 'bare', catalog, estimate });
    const cases = [
      { name: 'get_216_entries', request: requestText('GET') },
      { name: 'post_20_items', request: requestText('POST', body) },
    ];
    const result: Record<string, object> = {};
    for (const one of cases) {
      say(`${one.name}: ${ROUNDS} rounds of ${ROUND_MS / 1_000} s, Everpost and bare Koa in turn`);
      result[one.name] = await compare(everpost, bare, one);
    }
    process.stdout.write(`${JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2)}\n`);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await mongod.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

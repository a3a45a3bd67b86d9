import { join } from 'node:path';
import type { Endpoint } from '../../../src/stores/endpoint-store';
import { FORBIDDEN_IPV4, FORBIDDEN_IPV6, forbiddenUrls } from '../../sender/spellings';
import { createApi, type Api } from '../api';
import { startChild } from '../cluster/child';
import { type Checks, createChecks, type Fault, quickIn } from '../fault';
import { registerAccount } from '../tenant';
import type { Testbed } from '../testbed';
import { inLanes, within } from '../waiting';

const PER_ACCOUNT = 100;
const REBINDINGS = 10;
/** Where receivers may be, as the canary's sockets spell it. */
const ALLOWED = /^(::ffff:)?127\.10\./;
/** What an attempt at a forbidden destination may end with. */
const REFUSED = new Set(['blocked_address', 'dns_error']);

export const ssrfCorpus: Fault = {
  name: 'ssrf-corpus',
  title: 'SSRF: spellings of private addresses, names that lead to them, a rebinding name server, redirects',
  criterion: '0 connections to a forbidden address',
  ways: quickIn('express'),
  async run(testbed, counts) {
    const checks = createChecks();
    // Listens on every address of this machine, and counts.
    const canary = await startChild(join(__dirname, '..', 'receivers', 'canary-process.js'));
    const { port } = await canary.ask<{ port: number }>({ kind: 'listen' });
    const urls = sample([...forbiddenUrls(port), ...namedUrls(port)], counts.forbiddenUrls);
    checks.figure('URLs', urls.length);

    const refusals = await atRegistration(testbed, urls);
    checks.figure('refused at registration', refusals);
    const codes = await pastRegistration(testbed, targetsOf(urls, port));
    for (const [code, count] of codes) checks.figure(`attempts: ${code}`, count);
    const strange = [...codes.keys()].filter((code) => !REFUSED.has(code));
    checks.hold(strange.length === 0, `attempts at forbidden addresses ended otherwise: ${strange.join(', ')}`);
    await followRedirects(testbed, checks, port);

    const { connections } = await canary.ask<{ connections: readonly string[] }>({ kind: 'connections' });
    const forbidden = connections.filter((address) => !ALLOWED.test(address));
    checks.figure('connections to where a rebinding name first led', connections.length - forbidden.length);
    checks.hold(connections.length > forbidden.length, 'no rebinding name was followed to its first address');
    checks.figure('connections to forbidden addresses', forbidden.length);
    checks.hold(forbidden.length === 0, `there were connections to ${[...new Set(forbidden)].join(', ')}`);
    await canary.kill();
    return checks.outcome();
  },
};

/** Every so-manieth, so that each kind of spelling is there. */
function sample(urls: readonly string[], count: number): string[] {
  const step = Math.max(1, Math.floor(urls.length / count));
  return urls.filter((_, index) => index % step === 0);
}

/** Names whose servers answer with forbidden addresses: alone, among others, or only on the second query. */
function namedUrls(port: number): string[] {
  const hex = (address: string): string => {
    const [head = '', tail = ''] = address.split('::');
    const parts = (text: string): string[] => text.split(':').filter((part) => part !== '');
    const missing = address.includes('::') ? 8 - parts(head).length - parts(tail).length : 0;
    const all = [...parts(head), ...Array<string>(missing).fill('0'), ...parts(tail)];
    return all.map((part) => part.padStart(4, '0')).join('');
  };
  return [
    ...FORBIDDEN_IPV4.map((address) => `https://${address.replaceAll('.', '-')}.v4.test:${port}/`),
    ...FORBIDDEN_IPV6.map((address) => `https://${hex(address)}.v6.test:${port}/`),
    ...Array.from({ length: 20 }, (_, index) => `https://n${index}.mixed.test:${port}/`),
  ];
}

/** A forbidden destination, and when it is tried. */
interface Target {
  readonly url: string;
  /** Of its attempts, in seconds. */
  readonly delays: readonly number[];
}

function targetsOf(urls: readonly string[], port: number): Target[] {
  return [
    // Text that is not a URL can't get past registration in any way.
    ...urls.filter((url) => URL.canParse(url)).map((url) => ({ url, delays: [0] })),
    // Queried again after the sender's cache has dropped the first answer.
    ...Array.from({ length: REBINDINGS }, (_, index) => ({
      url: `https://n${index}.rebind.test:${port}/`,
      delays: [0, 6, 1],
    })),
  ];
}

async function atRegistration(testbed: Testbed, urls: readonly string[]): Promise<number> {
  const api = createApi(testbed.cluster.urls, (await registerAccount(testbed.cluster, 'chaos')).key);
  const accepted: string[] = [];
  await inLanes(urls, 4, async (url) => {
    const { status, body } = await api.insist('POST', '/endpoints', { url, events: ['never'] });
    if (status === 201) {
      accepted.push(url);
      // Room for the next: an account has a hundred.
      await testbed.cluster.mongo.db.collection('endpoints').deleteOne({ _id: body.id });
    }
  });
  return urls.length - accepted.length;
}

/** Stores the URLs that registration would refuse: the sender checks them itself. @returns attempts by their result */
async function pastRegistration(testbed: Testbed, targets: readonly Target[]): Promise<Map<string, number>> {
  const groups = Array.from({ length: Math.ceil(targets.length / PER_ACCOUNT) }, (_, index) =>
    targets.slice(index * PER_ACCOUNT, (index + 1) * PER_ACCOUNT),
  );
  const codes = new Map<string, number>();
  const endpoints = testbed.cluster.mongo.db.collection<Endpoint>('endpoints');
  await inLanes(groups, 3, async (group) => {
    const api = createApi(testbed.cluster.urls, (await registerAccount(testbed.cluster, 'chaos')).key);
    for (const { url, delays } of group) {
      const options = { retry_schedule: delays };
      const { body } = await api.insist('POST', '/endpoints', { url: 'https://receiver.example/', options });
      await endpoints.updateOne({ _id: body.id }, { $set: { url } });
    }
    const { body } = await api.insist('POST', '/events', { type: 'a.b', data: { serial: -1 } });
    for (const attempts of await attemptsOf(api, body.id as number, group.length)) {
      const last = attempts.at(-1)?.error_code ?? 'none';
      codes.set(last, (codes.get(last) ?? 0) + 1);
    }
  });
  return codes;
}

interface ShownAttempt {
  readonly error_code: string | null;
}

async function attemptsOf(api: Api, event: number, count: number): Promise<readonly (readonly ShownAttempt[])[]> {
  let all: readonly { readonly attempts: readonly ShownAttempt[]; readonly state: string }[] = [];
  await within(
    60_000,
    async () => {
      all = (await api.insist('GET', `/events/${event}`)).body.deliveries;
      return all.length === count && all.every(({ state, attempts }) => state === 'failed' && attempts.length > 0);
    },
    500,
  );
  return all.map(({ attempts }) => attempts);
}

/** Receivers that may be reached, and lead on to this machine. */
async function followRedirects(testbed: Testbed, checks: Checks, port: number): Promise<void> {
  const statuses = [301, 302, 303, 307, 308];
  const location = `https://127.0.0.1:${port}/`;
  const tenant = await testbed.open('ssrf-redirects', {
    endpoints: statuses.map((status) => ({ status, location, delayMs: 0 })),
  });
  await tenant.api.insist('POST', '/events', { type: 'a.b', data: { serial: 1 } });
  const answered = await within(60_000, () => tenant.received().length >= statuses.length);
  checks.hold(answered, 'the receivers that redirect were not reached');
  checks.figure('redirects answered', tenant.received().length);
}

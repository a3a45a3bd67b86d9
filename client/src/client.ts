import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'openapi-fetch';
import { createAccounts, type Accounts } from './accounts.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { createErasures, type Erasures } from './erasures.ts';
import { createEvents, type Events } from './events.ts';
import { createEventTypes, type EventTypes } from './event-types.ts';
import {
  createCostEstimator,
  createFigures,
  type CostEstimator,
  type Health,
  type Keys,
  type Reports,
  type UsageCalls,
} from './figures.ts';
import { patienceOf, type Patience } from './patience.ts';
import { createRehearsals, type Rehearsals } from './rehearsals.ts';
import { createReplays, type Replays } from './replays.ts';
import type { paths } from './schema.ts';
import { createTransport, type Transport } from './transport.ts';

/** The address and the key for an Everpost installation, and how patient each call is. */
export interface EverpostOptions extends Partial<Patience> {
  /** For example `https://everpost.example.com`. */
  readonly baseUrl: string;
  /** `svc_live_weh_…` of one account, or a management key, `svc_admin_…`. */
  readonly apiKey: string;
  /** A custom `fetch`, for a proxy or a test. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** The calls for one account. */
export interface EverpostAccount {
  /** Every operation of the API by method and path, typed; each answers `{ data, error, response }`. */
  readonly api: Client<paths>;
  readonly events: Events;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  /** Bulk replays. */
  readonly replays: Replays;
  /** Erasures of all events with a search value. */
  readonly erasures: Erasures;
  /** What a change would have done to the newest stored events. */
  readonly rehearsals: Rehearsals;
  /** The catalog of event types. */
  readonly eventTypes: EventTypes;
  readonly reports: Reports;
  readonly usage: UsageCalls;
  readonly health: Health;
  readonly keys: Keys;
}

/** A client: of the account of its key, or with a management key of all accounts. */
export interface Everpost extends EverpostAccount {
  /**
   * The same calls for one account, with a management key: they carry the header `Everpost-Account`. It sends nothing
   * by itself.
   *
   * @param id your own id of the account (`external_id`), or `acc_…`
   */
  account(id: string): EverpostAccount;
  /** Creates, changes, lists and deletes accounts, with a management key. */
  readonly accounts: Accounts;
  readonly costEstimator: CostEstimator;
}

/**
 * Makes a client that waits and retries as the API requires. It sends nothing yet.
 *
 * @throws TypeError for an address or a key that can't be one
 */
export function createEverpost(options: EverpostOptions): Everpost {
  const { baseUrl, apiKey, fetch = globalThis.fetch } = options;
  if (!/^https?:\/\//i.test(baseUrl ?? '')) {
    throw new TypeError('`baseUrl` begins with https:// or http://, for example https://everpost.example.com.');
  }
  const own = { Authorization: `Bearer ${headerValue('apiKey', apiKey)}` };
  const backOff = { fetch, sleep: sleepUntilAborted, random: Math.random, now: () => performance.now() };
  const patience = patienceOf(options);
  const transportWith = (headers: Readonly<Record<string, string>>) =>
    createTransport({ baseUrl, headers: { ...own, ...headers }, backOff, patience });
  const transport = transportWith({});
  return {
    ...createAccount(transport),
    account: (id) => createAccount(transportWith({ 'Everpost-Account': headerValue('id', id) })),
    accounts: createAccounts(transport),
    costEstimator: createCostEstimator(transport),
  };
}

function createAccount(transport: Transport): EverpostAccount {
  return {
    api: transport.api,
    events: createEvents(transport),
    endpoints: createEndpoints(transport),
    deliveries: createDeliveries(transport),
    replays: createReplays(transport),
    erasures: createErasures(transport),
    rehearsals: createRehearsals(transport),
    eventTypes: createEventTypes(transport),
    ...createFigures(transport),
  };
}

/** Checked here, because the error of `fetch` would tell the key. */
function headerValue(name: string, value: string): string {
  if (/^[\x21-\x7e]+$/.test(value ?? '')) return value;
  throw new TypeError(`\`${name}\` is missing, or holds spaces, line breaks or other characters that no header takes.`);
}

/** The next try of an aborted request throws the reason, so the wait only ends. */
function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}

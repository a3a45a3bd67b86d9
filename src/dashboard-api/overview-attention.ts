import type { z } from 'zod';
import { closedBy } from '../domain/delivery-contract';
import type { HealthState } from '../domain/endpoint-health';
import { presentHealth } from '../endpoints/present';
import type { EndpointHealth } from '../endpoints/read-health';
import type { Endpoint } from '../stores/endpoint-store';
import { MAX_WAITING } from './overview-store';
import type { overviewView } from './overview-schema';

/** An endpoint and its health. */
interface EndpointState {
  readonly endpoint: Endpoint;
  readonly health: EndpointHealth;
}

type Attention = z.output<typeof overviewView>['attention'][number];

const RANKS: Readonly<Record<HealthState, number>> = {
  failing: 0,
  disabled: 1,
  degraded: 2,
  paused: 3,
  waiting: 4,
  healthy: 5,
};

/** Of more endpoints the waiting deliveries are not counted, which bounds the work. */
const MAX_SHOWN = 20;

/**
 * Picks the endpoints that may need attention: the worst first, and at most `MAX_SHOWN`. Those to which nothing may be
 * sent yet are among them, because deliveries may wait for them.
 *
 * @returns them, and how many more there are
 */
export function pickAttention(endpoints: readonly EndpointState[]) {
  const all = endpoints
    .filter(({ endpoint, health: { state } }) =>
      state === 'waiting' ? closedBy(endpoint) !== undefined : state !== 'healthy',
    )
    .sort(byStateAndStart);
  const picked = all.slice(0, MAX_SHOWN);
  return { picked, more: all.length - picked.length };
}

/**
 * What needs attention, the worst first: by state, then by how many deliveries wait, then by the start of the failures.
 *
 * @param waiting how many deliveries wait for each endpoint, by its id
 */
export function presentAttention(
  picked: readonly EndpointState[],
  waiting: ReadonlyMap<string, number>,
): readonly Attention[] {
  const waitingFor = ({ endpoint }: EndpointState): number => waiting.get(endpoint._id) ?? 0;
  return picked
    .filter((it) => it.health.state !== 'waiting' || waitingFor(it) > 0)
    .sort((one, other) => byState(one, other) || waitingFor(other) - waitingFor(one) || byStateAndStart(one, other))
    .map((it) => presentOne(it, waitingFor(it)));
}

function byState(one: EndpointState, other: EndpointState): number {
  return RANKS[one.health.state] - RANKS[other.health.state];
}

function byStateAndStart(one: EndpointState, other: EndpointState): number {
  return byState(one, other) || startOf(one) - startOf(other);
}

/** When the first of an endpoint's failures in a row was; null if its last attempt succeeded. */
export function presentStart({ seen }: EndpointHealth): string | null {
  return seen?.run?.since.toISOString() ?? null;
}

function startOf({ health }: EndpointState): number {
  return health.seen?.run?.since.getTime() ?? Number.MAX_SAFE_INTEGER;
}

function presentOne({ endpoint, health }: EndpointState, deliveries: number): Attention {
  const { _id: id, url, description, status, disabled_reason: reason, verification } = endpoint;
  return {
    endpoint: {
      id,
      url,
      description,
      status,
      disabled_reason: status === 'disabled' ? (reason ?? null) : null,
      unverified_host: verification?.state === 'unverified' ? verification.host : null,
    },
    health: presentHealth(endpoint, health),
    failing_since: presentStart(health),
    waiting: { deliveries, at_least: deliveries >= MAX_WAITING },
  };
}

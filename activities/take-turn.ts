import { setTimeout as wait } from 'node:timers/promises';
import { attemptId } from '../src/deliveries/attempt-store';
import type { OrderedEndpoint, OrderStore } from '../src/dispatch/order-store';
import type { RateStore } from '../src/dispatch/rate-store';
import type { AttemptInput, AttemptOutcome } from '../src/domain/delivery-contract';
import { standsInLine, type Endpoint } from '../src/endpoints/store';

/** What a turn needs. Only endpoints with such an option use any of it. */
export interface TurnDeps {
  readonly rates: RateStore;
  readonly order: OrderStore;
}

/** How long a first try waits for its turn in the endpoint's rate; it may hold a workflow task meanwhile. */
const FIRST_PATIENCE_MS = 250;
/** How long one that was given a place waits: it comes back a little early, so as to be on time. */
const PLACE_PATIENCE_MS = 1_000;
const COME_EARLY_MS = 300;
/** Longer waits are cut, so that a rate that is lifted is noticed. */
const MOST_WAIT_MS = 900_000;
/** A wait of no time is none at all in a workflow. */
const LEAST_WAIT_MS = 100;

/** The line of an endpoint. */
export function lineOf({ account_id: accountId, _id: endpointId }: Endpoint): OrderedEndpoint {
  return { accountId, endpointId };
}

/**
 * Waits for the attempt's turn by the endpoint's options: its place in the line, then its moment in the rate.
 *
 * @returns undefined when it may be made now; `giveBackTurn` must follow then
 */
export async function takeTurn(
  deps: TurnDeps,
  input: AttemptInput,
  endpoint: Endpoint,
): Promise<AttemptOutcome | undefined> {
  const perSecond = endpoint.options?.max_per_second;
  if (standsInLine(endpoint, input)) {
    const first = await deps.order.firstInLine(lineOf(endpoint));
    const isFirst = !first || first.eventId === input.eventId;
    if (!isFirst || !(await deps.order.take(endpoint._id, attemptId(input))))
      return { kind: 'held', reason: 'in_line' };
  }
  const busy = perSecond === undefined ? undefined : await takeMoment(deps.rates, input, endpoint, perSecond);
  if (busy) await giveBackTurn(deps, input, endpoint);
  return busy;
}

/** Lets the next one in line. */
export async function giveBackTurn(
  deps: Pick<TurnDeps, 'order'>,
  input: AttemptInput,
  endpoint: Endpoint,
): Promise<void> {
  if (standsInLine(endpoint, input)) await deps.order.giveBack(endpoint._id, attemptId(input));
}

async function takeMoment(
  rates: RateStore,
  { placeAtMs }: AttemptInput,
  endpoint: Endpoint,
  perSecond: number,
): Promise<AttemptOutcome | undefined> {
  const patienceMs = placeAtMs === undefined ? FIRST_PATIENCE_MS : PLACE_PATIENCE_MS;
  const turn = await rates.takeTurn(endpoint._id, { perSecond, placeAtMs, patienceMs });
  if (turn.kind === 'go') {
    if (turn.inMs > 0) await wait(turn.inMs);
    return undefined;
  }
  const waitMs = Math.min(Math.max(Math.ceil(turn.inMs) - COME_EARLY_MS, LEAST_WAIT_MS), MOST_WAIT_MS);
  return { kind: 'busy', waitMs, placeAtMs: turn.atMs };
}

import { setTimeout as wait } from 'node:timers/promises';
import { attemptId } from '../src/deliveries/attempt-store';
import type { OrderStore } from '../src/dispatch/order-store';
import type { RateStore } from '../src/dispatch/rate-store';
import type { AttemptInput, HeldReason } from '../src/domain/delivery-contract';
import { standsInLine, type Endpoint } from '../src/endpoints/store';

/** What a turn needs. Only endpoints with such an option use any of it. */
export interface TurnDeps {
  readonly rates: RateStore;
  readonly order: OrderStore;
}

/** How long an attempt waits for its turn in the endpoint's rate. The gate lets those go that have theirs within a second. */
const PATIENCE_MS = 5_000;

/** What became of asking for a turn. */
export type Turn =
  | { readonly kind: 'taken'; readonly waitedMs: number }
  /** It comes later; nothing is taken. */
  | { readonly kind: 'later'; readonly reason: HeldReason };

/**
 * Waits for the attempt's turn by the endpoint's options: its place in the line, then its moment in the rate.
 * `giveBackTurn` must follow one that is taken.
 */
export async function takeTurn(deps: TurnDeps, input: AttemptInput, endpoint: Endpoint): Promise<Turn> {
  const perSecond = endpoint.options?.max_per_second;
  if (standsInLine(endpoint, input) && !(await takePlaceInLine(deps, input, endpoint))) {
    return { kind: 'later', reason: 'in_line' };
  }
  const waitMs = perSecond === undefined ? 0 : await deps.rates.takeTurn(endpoint._id, perSecond, PATIENCE_MS);
  if (waitMs === null) {
    await giveBackTurn(deps, input, endpoint);
    return { kind: 'later', reason: 'at_rate' };
  }
  if (waitMs > 0) await wait(waitMs);
  return { kind: 'taken', waitedMs: waitMs };
}

/** Lets the next one in line. */
export async function giveBackTurn(
  deps: Pick<TurnDeps, 'order'>,
  input: AttemptInput,
  endpoint: Endpoint,
): Promise<void> {
  if (standsInLine(endpoint, input)) await deps.order.giveBack(endpoint._id, attemptId(input));
}

async function takePlaceInLine(
  { order }: TurnDeps,
  input: AttemptInput,
  { _id: endpointId, account_id: accountId }: Endpoint,
): Promise<boolean> {
  const first = await order.firstInLine({ accountId, endpointId });
  return (!first || first.eventId === input.eventId) && order.take(endpointId, attemptId(input));
}

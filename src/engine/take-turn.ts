import { attemptId } from '../stores/attempt-store';
import type { OrderStore } from '../stores/order-store';
import type { RateStore } from '../stores/rate-store';
import type { AttemptInput, HeldReason } from '../domain/delivery-contract';
import type { ReceiverBudget } from './receiver-budget';
import { sleep } from '../platform/sleep';
import { rateOf, standsInLine, type Endpoint } from '../stores/endpoint-store';

/** What a turn needs. The stores are used only for endpoints with the option `ordered` or a rate. */
export interface TurnDeps {
  readonly receivers: Pick<ReceiverBudget, 'take'>;
  readonly rates: RateStore;
  readonly order: OrderStore;
}

/**
 * How long an attempt waits for its turn in the endpoint's rate. The gate releases deliveries whose turn is within a
 * second.
 */
const PATIENCE_MS = 5_000;

/** The result of asking for a turn. */
export type Turn =
  /** `release` ends the lease of an ordered endpoint; the caller must call it. */
  | { readonly kind: 'taken'; readonly waitedMs: number; readonly release: () => Promise<void> }
  /** The turn comes later; nothing was taken. */
  | { readonly kind: 'later'; readonly reason: HeldReason };

/**
 * Waits for the attempt's turn: its place in the endpoint's line, then one of the attempts that the receiver may get in a
 * minute, then its time in the endpoint's rate.
 */
export async function takeTurn(
  { rates, order, receivers }: TurnDeps,
  input: AttemptInput,
  endpoint: Endpoint,
): Promise<Turn> {
  const { _id: endpointId, account_id: accountId } = endpoint;
  const id = attemptId(input);
  const isInLine = standsInLine(endpoint, input);
  if (isInLine) {
    const first = await order.firstInLine({ accountId, endpointId });
    const isNext = !first || first.eventId === input.eventId;
    if (!isNext || !(await order.take(endpointId, id))) return { kind: 'later', reason: 'in_line' };
  }
  const release = async (): Promise<void> => {
    if (isInLine) await order.release(endpointId, id);
  };
  const perSecond = rateOf(endpoint);
  const mayGet = await receivers.take(accountId, endpoint.url).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const waitedMs = !mayGet
    ? null
    : perSecond === undefined
      ? 0
      : await rates.takeTurn(endpointId, perSecond, PATIENCE_MS);
  if (waitedMs === null) {
    await release();
    return { kind: 'later', reason: 'at_rate' };
  }
  if (waitedMs > 0) await sleep(waitedMs);
  return { kind: 'taken', waitedMs, release };
}

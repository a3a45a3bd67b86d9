import { MAX_RUNS } from '../domain/replay-contract';
import type { EndpointStore } from '../stores/endpoint-store';
import type { DeliveryListStore, DeliveryPosition, ListedDelivery } from '../stores/list-deliveries-store';
import { deliveriesOf, toReplayFilter, type ReplaySelection } from './replay-filter';

/** What a bulk replay would do now. */
export interface ReplayPreview extends Counted {
  /** Whether the newest answered delivery to the filter's endpoint has failed; null without an endpoint or an answer. */
  readonly endpointFailed: boolean | null;
}

/** The deliveries that match. */
interface Counted {
  /** How many there are, among the events that were read. */
  readonly matched: number;
  /** Whether there may be more: the count ends after `MAX_MATCHED` of them, or after `MAX_PAGES` looks. */
  readonly isMore: boolean;
  /** Of them: those that a replay would skip, because their endpoint was removed. */
  readonly removed: number;
  /** Of them: those that a replay would skip, because they have had `MAX_RUNS` runs. */
  readonly atRunLimit: number;
}

/** What a preview reads. */
export interface PreviewDeps {
  readonly deliveryLists: DeliveryListStore;
  readonly endpoints: Pick<EndpointStore, 'findMany'>;
}

/** A person decides by the order of magnitude; each page of matches takes about 20 ms. */
const MAX_MATCHED = 10_000;
const PAGE = 5_000;
/** A look reads up to 5,000 events, few of which may match: all of them together take about a second. */
const MAX_PAGES = 40;

/**
 * Counts what a bulk replay with this filter would send again, and looks whether its endpoint still fails.
 *
 * @param now by the database's clock
 */
export async function previewReplay(
  deps: PreviewDeps,
  { accountId, now }: { readonly accountId: string; readonly now: Date },
  input: ReplaySelection,
): Promise<ReplayPreview> {
  const { deliveryLists } = deps;
  const filter = deliveriesOf({ account_id: accountId, filter: toReplayFilter(input), created_at: now });
  const countAll = async (): Promise<Counted> => {
    let counted: Counted = { matched: 0, isMore: false, removed: 0, atRunLimit: 0 };
    let from: DeliveryPosition | undefined;
    for (let page = 0; page < MAX_PAGES && counted.matched < MAX_MATCHED; page += 1) {
      const { deliveries, next } = await deliveryLists.page(filter, { order: 'newest first', limit: PAGE, from });
      counted = await withCounted(deps, counted, deliveries);
      if (!next) return counted;
      from = next;
    }
    return { ...counted, isMore: true };
  };
  const [counted, endpointFailed] = await Promise.all([
    countAll(),
    input.endpointId === undefined ? null : lastFailed(deliveryLists, accountId, input.endpointId),
  ]);
  return { ...counted, endpointFailed };
}

async function withCounted(
  { endpoints }: PreviewDeps,
  counted: Counted,
  deliveries: readonly ListedDelivery[],
): Promise<Counted> {
  const ids = [...new Set(deliveries.map(({ destination }) => destination.endpoint_id))];
  const known = new Set(ids.length === 0 ? [] : (await endpoints.findMany(ids)).map(({ _id }) => _id));
  const kept = deliveries.filter(({ destination }) => known.has(destination.endpoint_id));
  return {
    ...counted,
    matched: counted.matched + deliveries.length,
    removed: counted.removed + deliveries.length - kept.length,
    atRunLimit: counted.atRunLimit + kept.filter(isAtRunLimit).length,
  };
}

function isAtRunLimit({ destination: { run, state } }: ListedDelivery): boolean {
  return run >= MAX_RUNS && state !== 'retrying';
}

async function lastFailed(
  deliveryLists: DeliveryListStore,
  accountId: string,
  endpointId: string,
): Promise<boolean | null> {
  const answered = { accountId, endpointId, states: ['delivered', 'retrying', 'failed'] } as const;
  const { deliveries } = await deliveryLists.page(answered, { order: 'newest first', limit: 1 });
  const [newest] = deliveries;
  return newest ? newest.destination.state !== 'delivered' : null;
}

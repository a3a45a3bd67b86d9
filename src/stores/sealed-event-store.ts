import { Binary } from 'mongodb';
import { accountSuspended } from '../domain/account-suspended';
import type { ErrorDetail } from '../domain/errors';
import type { PayloadBox } from '../payloads/payload-box';

/** What belongs to an event, and whose event it is. */
interface EventRef {
  readonly _id: number;
  readonly account_id: string;
}

/** The fields of an event that can be sealed. */
interface Payload {
  readonly data: Binary;
  /** They may quote names and values of `data`. */
  readonly schema_errors?: readonly ErrorDetail[];
}

/** The fields that are stored as tokens. */
interface Compared {
  readonly search?: readonly string[];
  readonly payload_hash?: string;
}

/**
 * An event, or some of its fields, as MongoDB has it: sealed or not. The names differ, so that a process of an earlier
 * version fails at such an event and tries again, and never sends a ciphertext.
 */
export type AtRest<Event> = Omit<Event, keyof Payload> &
  Partial<Payload> & { readonly sealed_data?: Binary; readonly sealed_schema_errors?: Binary };

/** For projections that read `data`, in either form, and what opens it. */
export const WITH_DATA = { account_id: 1, data: 1, sealed_data: 1 } as const;
/** For projections that leave `data` out, in either form. */
export const WITHOUT_DATA = { data: 0, sealed_data: 0 } as const;

const ownerOf = (eventId: number): string => `event:${eventId}`;

/**
 * The form in which an event is stored.
 *
 * @throws UnavailableError `encryption_key_missing` if this process can't seal for the account
 * @throws ForbiddenError `account_suspended` if the account is being deleted
 */
export async function sealEvent<Event extends EventRef & Payload & Compared>(
  payloads: PayloadBox,
  event: Event,
): Promise<AtRest<Event>> {
  if (!payloads.seals) return event;
  const key = await payloads.keyToSeal(event.account_id);
  if (!key) throw accountSuspended();
  const { data, schema_errors: errors, ...rest } = event;
  const { search, payload_hash: hash } = event;
  const owner = ownerOf(event._id);
  const boxOf = (part: string, bytes: Uint8Array): Binary => new Binary(key.seal(owner, part, bytes));
  return {
    ...rest,
    ...(search && { search: search.map(key.searchToken) }),
    ...(hash !== undefined && { payload_hash: key.hashToken(hash) }),
    sealed_data: boxOf('data', data.value()),
    ...(errors && { sealed_schema_errors: boxOf('schema_errors', Buffer.from(JSON.stringify(errors))) }),
  };
}

/**
 * The event, opened. Its search values and its hash stay as they are stored.
 *
 * @throws UnavailableError `encryption_key_missing` if this process can't open it
 */
export async function openEvent<Event extends EventRef>(payloads: PayloadBox, event: AtRest<Event>): Promise<Event> {
  const { sealed_data: data, sealed_schema_errors: errors, ...rest } = event;
  if (!data && !errors) return rest as unknown as Event;
  const key = await payloads.keyToOpen(event.account_id);
  const owner = ownerOf(event._id);
  return {
    ...rest,
    ...(data && { data: new Binary(key.open(owner, 'data', data.value())) }),
    ...(errors && { schema_errors: JSON.parse(key.open(owner, 'schema_errors', errors.value()).toString()) }),
  } as unknown as Event;
}

/**
 * The condition on `search` for one value of an account: as it was stored before payloads were sealed, and its token. The
 * index merges both in its order.
 */
export async function searchCondition(
  payloads: PayloadBox,
  accountId: string,
  value: string,
): Promise<{ readonly $in: readonly string[] }> {
  const key = await payloads.findKey(accountId);
  return { $in: key ? [value, key.searchToken(value)] : [value] };
}

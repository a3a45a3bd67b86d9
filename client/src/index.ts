export type { Accounts } from './accounts.ts';
export { createEverpost, type Everpost, type EverpostAccount, type EverpostOptions } from './client.ts';
export type { Deliveries } from './deliveries.ts';
export type { ChangeOptions, Endpoints, TestEventToSend } from './endpoints.ts';
export { EverpostConnectionError, EverpostError, EverpostTimeoutError, type ErrorBody } from './errors.ts';
export type { Erasures } from './erasures.ts';
export type { Events, EventToSend } from './events.ts';
export type { EventTypes } from './event-types.ts';
export type { CostEstimator, Health, Keys, Reports, UsageCalls } from './figures.ts';
export type { List } from './list.ts';
export type { CallOptions } from './patience.ts';
export type { Rehearsals } from './rehearsals.ts';
export type { Replays } from './replays.ts';
/** `Endpoint`, `Event`, `Delivery`, `Replay` … : every schema of the API by its name. */
export type * from './schema.ts';
export {
  SignatureError,
  verify,
  type CheckedSignature,
  type ReceivedDelivery,
  type VerifiedEvent,
  type WebhookEvent,
} from './verify.ts';

export { createEverpost, EverpostError, type EventToSend, type Everpost, type EverpostOptions } from './client.ts';
export type { List } from './list.ts';
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

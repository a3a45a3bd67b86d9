export type { EventToSend, EverpostAccount } from './account.ts';
export type { Accounts } from './accounts.ts';
export { EverpostError } from './answer.ts';
export { createEverpost, type Everpost, type EverpostOptions } from './client.ts';
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

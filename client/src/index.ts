export {
  createEverpost,
  EverpostError,
  type AcceptedEvent,
  type BatchResult,
  type EventToSend,
  type Everpost,
  type EverpostOptions,
} from './client.ts';
export type { components, operations, paths } from './schema.ts';
export {
  SignatureError,
  verify,
  type CheckedSignature,
  type ReceivedDelivery,
  type VerifiedEvent,
  type WebhookEvent,
} from './verify.ts';

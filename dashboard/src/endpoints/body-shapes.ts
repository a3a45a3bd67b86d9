import type { BodyShape } from '../../../src/domain/body-form';

/** The choice of a body's shape; `default` leaves it to the account. */
export type BodyChoice = BodyShape | 'default';

/** The choices, for people, in the order of the form. */
export const BODY_CHOICES: Readonly<Record<BodyChoice, string>> = {
  default: "The account's default",
  envelope: 'Envelope: id, type, data and timestamp',
  data: 'Data alone, as it was sent',
  standard: 'Standard Webhooks: type, timestamp and data',
  cloudevents: 'CloudEvents 1.0, structured',
};

/** A shape as a sentence. */
export const BODY_IN_WORDS: Readonly<Record<BodyShape, string>> = {
  envelope: 'The body is an envelope of id, type, data and timestamp.',
  data: 'The body is the data alone; id, type and times are in headers.',
  standard: 'The body is the one of Standard Webhooks: type, timestamp and data.',
  cloudevents: 'The body is a CloudEvent 1.0.',
};

import { createHash } from 'node:crypto';
import { BODY_SHAPES, bodyFormOf, bodyHeaders, type StoredBodyForm } from '../../src/domain/body-form';
import { composeBody, signDelivery } from '../../src/sender/signature';

/** An example, which signs nothing real. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ACCOUNT_ID = 'acc_00000000000000000000000001';
const ATTEMPTED_AT = 1_767_225_601;
const EVENT = { id: 1_002, type: 'order.item.added', timestamp: 1_767_225_600 };
const DATA = '{ "n":12345678901234567890,"x":1.0, "2":0,"1":0, "customer":{"name":"Zo\\u00eb","email":"z@b.example"} }';

/** A delivery in one shape. */
interface BodyVector {
  readonly name: string;
  readonly options: object;
  readonly headers: Readonly<Record<string, string>>;
  readonly body_sha256: string;
  readonly body_base64: string;
  readonly body_text: string;
}

/** The contents of docs/vectors/bodies.json. */
export interface BodyVectors {
  readonly about: readonly string[];
  readonly secret: string;
  readonly event: object;
  readonly deliveries: readonly BodyVector[];
}

/** Makes a delivery of one event in each shape, and with masks, with the sender's own functions. */
export function buildBodyVectors(): BodyVectors {
  return {
    about: [
      'One event, as it is sent with each value of the option "body", and with masks; docs/delivery-options.md explains them.',
      'Both signatures cover the bytes of body_base64, as in signatures.json.',
      'data_text is what the sender of the event sent as "data": without masks its bytes are in every body.',
      'The times are in the past: a check of the age has to be given another clock, or be off.',
    ],
    secret: SECRET,
    event: { ...EVENT, account_id: ACCOUNT_ID, data_text: DATA },
    deliveries: [
      ...BODY_SHAPES.map((shape) => vectorOf(shape, { shape })),
      vectorOf('data, without an excluded member', { shape: 'data', exclude: ['customer.email'] }),
      vectorOf('standard, with two included members', { shape: 'standard', include: ['n', 'customer.name'] }),
    ],
  };
}

function vectorOf(name: string, { shape, ...masks }: StoredBodyForm): BodyVector {
  const form = bodyFormOf({ ...masks, ...(shape && { shape }) }, ACCOUNT_ID);
  const body = composeBody({ ...EVENT, data: Buffer.from(DATA) }, form);
  const headers = signDelivery({
    ...{ secrets: { current: SECRET }, body, bodyHeaders: bodyHeaders(EVENT, form) },
    ...{ eventId: EVENT.id, eventType: EVENT.type, timestampSeconds: ATTEMPTED_AT },
  });
  return {
    ...{ name, options: { body: shape, ...masks }, headers },
    body_sha256: createHash('sha256').update(body).digest('hex'),
    body_base64: body.toString('base64'),
    body_text: body.toString(),
  };
}

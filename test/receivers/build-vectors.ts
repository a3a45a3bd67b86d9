import { createHash } from 'node:crypto';
import { composeBody, signDelivery } from '../../src/sender/signature';

/** One secret for all vectors, and the one it is rotated to. Both are examples and sign nothing real. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NEXT_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const INGESTED_AT = 1_767_225_600;
const ATTEMPTED_AT = 1_767_225_601;

/** A body as it travels. */
interface VectorBody {
  readonly body_bytes: number;
  readonly body_sha256: string;
  /** The exact bytes. */
  readonly body_base64: string;
  /** The same as text, for people; `null` where it is long. */
  readonly body_text: string | null;
}

interface Vector extends VectorBody {
  readonly name: string;
  /** The secret that the receiver holds. */
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A delivery that a receiver has to take. */
export interface AcceptedVector extends Vector {
  /** During a rotation: the secret that is about to replace the other. */
  readonly next_secret?: string;
}

/** A delivery that a receiver has to answer with 401. */
export interface RefusedVector extends Vector {
  readonly why: string;
}

/** The contents of docs/vectors/signatures.json. */
export interface SignatureVectors {
  readonly about: readonly string[];
  readonly accepted: readonly AcceptedVector[];
  readonly refused: readonly RefusedVector[];
}

const LONG_TEXT_BYTES = 4 * 1024;

interface Sample {
  readonly name: string;
  readonly id: number;
  readonly type: string;
  /** `data` as a caller sent it. */
  readonly data: string;
  readonly next?: boolean;
}

const PLAIN: Sample = {
  name: 'plain ASCII',
  id: 1001,
  type: 'order.created',
  data: '{"order_id":"ord_42","total":19.99}',
};

const NUMBERS: Sample = {
  name: 'numbers and names that a JSON parser would change',
  id: 1002,
  type: 'order.item.added',
  data: '{"n":12345678901234567890,"x":1.0,"e":1E400,"b":1,"a":2,"2":0,"1":0,"a":3}',
};

const UNICODE: Sample = {
  name: 'text beyond ASCII, escaped and not, and white space',
  id: 1003,
  type: 'user.renamed',
  data: '{ "name" : "Zoë 🎉 文字", "same": "Zo\\u00eb",\n\t"lone": "\\ud83c" }',
};

const SAMPLES: readonly Sample[] = [
  PLAIN,
  NUMBERS,
  UNICODE,
  { name: 'an empty object', id: 1004, type: 'ping', data: '{}' },
  { name: 'the largest id', id: Number.MAX_SAFE_INTEGER, type: 'order.created', data: '{"last":true}' },
  { name: 'a rotation: either secret verifies', id: 1006, type: 'order.created', data: '{"rotated":1}', next: true },
  {
    name: 'a body with 200 KiB of text',
    id: 1007,
    type: 'report.ready',
    data: `{"text":"${'0123456789abcdef'.repeat(12_800)}"}`,
  },
];

/** Makes all vectors with the sender's own functions: the same bytes at any time. */
export function buildVectors(): SignatureVectors {
  return {
    about: [
      'Test vectors for receivers, made by the sender itself; docs/receivers/README.md explains the signatures.',
      'X-Webhook-Signature is sha256= and the lower-case hexadecimal HMAC-SHA256 of the bytes of body_base64, keyed with the UTF-8 bytes of the whole secret.',
      'webhook-signature is the one of Standard Webhooks, over webhook-id, webhook-timestamp and the body.',
      'The times are in the past: a check of the age has to be given another clock, or be off.',
      'In "refused" the headers of Standard Webhooks are left out: they would be right in some of them.',
    ],
    accepted: SAMPLES.map(accept),
    refused: buildRefused(),
  };
}

function bodyOf({ id, type, data }: Sample): Buffer {
  return composeBody({ id, type, data: Buffer.from(data), timestamp: INGESTED_AT });
}

function sign(sample: Sample, secret: string, body = bodyOf(sample)): Record<string, string> {
  return signDelivery({
    secrets: { current: secret, ...(sample.next && { next: NEXT_SECRET }) },
    body,
    eventId: sample.id,
    eventType: sample.type,
    timestampSeconds: ATTEMPTED_AT,
  });
}

function accept(sample: Sample): AcceptedVector {
  const { name, next } = sample;
  return {
    name,
    secret: SECRET,
    ...(next && { next_secret: NEXT_SECRET }),
    headers: sign(sample, SECRET),
    ...present(bodyOf(sample)),
  };
}

function present(body: Buffer): VectorBody {
  return {
    body_bytes: body.length,
    body_sha256: createHash('sha256').update(body).digest('hex'),
    body_base64: body.toString('base64'),
    body_text: body.length > LONG_TEXT_BYTES ? null : body.toString(),
  };
}

/** The signature that a receiver's own mistakes, a damaged delivery or a forger would come with. */
function buildRefused(): RefusedVector[] {
  const body = bodyOf(PLAIN);
  const signature = sign(PLAIN, SECRET)['X-Webhook-Signature']!;
  const hex = signature.slice('sha256='.length);
  const plain = (name: string, why: string, header: string | undefined): RefusedVector =>
    refuse(name, why, { sample: PLAIN, body, header });
  const changed = (name: string, why: string, sample: Sample, bytes: Buffer): RefusedVector =>
    refuse(name, why, { sample, body: bytes, header: sign(sample, SECRET)['X-Webhook-Signature'] });
  const bySecret = (secret: string) => sign(PLAIN, secret)['X-Webhook-Signature'];
  const flipped = Buffer.from(body);
  flipped[flipped.length - 2]! ^= 1;

  return [
    plain('no signature', 'The header is missing.', undefined),
    plain('an empty signature', 'The header is empty.', ''),
    plain('the prefix is missing', 'The header has to begin with sha256=.', hex),
    plain('another prefix', 'The header has to begin with sha256=, in lower case.', `SHA256=${hex}`),
    plain('another algorithm', 'There is no other algorithm than sha256.', `sha1=${hex}`),
    plain('upper-case hex', 'The hexadecimal digits are lower-case.', `sha256=${hex.toUpperCase()}`),
    plain('base64 instead of hex', 'It is hex.', `sha256=${Buffer.from(hex, 'hex').toString('base64')}`),
    plain('a truncated signature', 'All 64 digits count.', signature.slice(0, -1)),
    plain('a signature that goes on', 'There are 64 digits and nothing after them.', `${signature}0`),
    plain('white space inside the signature', 'There is none after the equals sign.', `sha256= ${hex}`),
    plain('the digits are zeros', 'Whoever does not know the secret can only guess.', `sha256=${'0'.repeat(64)}`),
    plain('another secret', 'It was signed with a secret that the receiver does not hold.', bySecret(NEXT_SECRET)),
    plain(
      'the secret without whsec_',
      'The whole secret is the key, with its first six characters.',
      bySecret(SECRET.slice('whsec_'.length)),
    ),
    plain(
      'the signature of another body',
      'It is right for another delivery with the same secret.',
      sign(NUMBERS, SECRET)['X-Webhook-Signature'],
    ),
    changed('one byte changed', 'The last digit of the timestamp is another.', PLAIN, flipped),
    changed('a truncated body', 'The last byte is missing.', PLAIN, body.subarray(0, -1)),
    changed('white space after the body', 'A line end was added.', PLAIN, Buffer.from(`${body.toString()}\n`)),
    changed('white space inside the body', 'It was written anew with indentation.', PLAIN, rewritten(body, 2)),
    changed('a body that was parsed', 'A JSON parser has read and written it.', NUMBERS, rewritten(bodyOf(NUMBERS))),
    changed(
      'another encoding',
      'The same text, but not in UTF-8.',
      UNICODE,
      Buffer.from(bodyOf(UNICODE).toString(), 'utf16le'),
    ),
    changed('an empty body', 'Nothing arrived.', PLAIN, Buffer.alloc(0)),
    refuse('both signatures of a rotation wrong', 'Neither header fits the secret.', {
      sample: PLAIN,
      body,
      header: bySecret(NEXT_SECRET),
      next: `sha256=${hex.toUpperCase()}`,
    }),
  ];
}

/** As a JSON parser writes what it has read. */
function rewritten(body: Buffer, indent = 0): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, indent));
}

function refuse(
  name: string,
  why: string,
  delivery: { sample: Sample; body: Buffer; header: string | undefined; next?: string },
): RefusedVector {
  const { sample, body, header, next } = delivery;
  return {
    name,
    why,
    secret: SECRET,
    headers: {
      'Content-Type': 'application/json',
      'X-Webhook-ID': String(sample.id),
      'X-Webhook-Type': sample.type,
      'X-Webhook-Timestamp': String(ATTEMPTED_AT),
      ...(header !== undefined && { 'X-Webhook-Signature': header }),
      ...(next !== undefined && { 'X-Webhook-Signature-Next': next }),
    },
    ...present(body),
  };
}

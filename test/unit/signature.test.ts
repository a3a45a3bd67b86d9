import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { composeBody, generateSigningSecret, signDelivery, verifySignature } from '../../src/sender/signature';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NEXT_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const BODY = composeBody({ id: 42, type: 'order.created', data: Buffer.from('{"n":1.0}'), timestamp: 1_700_000_000 });

const delivery = {
  secrets: { current: SECRET },
  body: BODY,
  eventId: 42,
  eventType: 'order.created',
  timestampSeconds: 1_700_000_005,
};

const secrets = fc.constantFrom(...Array.from({ length: 20 }, generateSigningSecret));
const bodies = fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes));

describe('composeBody', () => {
  it('keeps what parsing and serializing JSON would change', () => {
    const data = '{"n":12345678901234567890,"x":1.0,"b":1,"a":2,"2":0,"1":0,"b":1E400, "é":"\\u00e9"}';
    const body = composeBody({ id: 1, type: 'a', data: Buffer.from(data), timestamp: 2 });
    expect(body.toString()).toBe(`{"id":1,"type":"a","data":${data},"timestamp":2}`);
  });

  it('is valid JSON with the same values for any data', () => {
    fc.assert(
      fc.property(fc.json(), fc.maxSafeNat(), fc.maxSafeNat(), (data, id, timestamp) => {
        const body = composeBody({ id, type: 'order.created', data: Buffer.from(data), timestamp });
        expect(JSON.parse(body.toString())).toEqual({ id, type: 'order.created', data: JSON.parse(data), timestamp });
      }),
    );
  });
});

describe('signDelivery', () => {
  it('makes the five headers of the specification and the three of Standard Webhooks', () => {
    // Both signatures were computed with Python's hmac.
    expect(signDelivery(delivery)).toEqual({
      'Content-Type': 'application/json',
      'X-Webhook-ID': '42',
      'X-Webhook-Type': 'order.created',
      'X-Webhook-Timestamp': '1700000005',
      'X-Webhook-Signature': 'sha256=95d1ac9d939aee70c5a8b25e91ba96778961f8fb79e9b9c41121eb025dfb6284',
      'webhook-id': '42',
      'webhook-timestamp': '1700000005',
      'webhook-signature': 'v1,SRaq+3teIRSGIGWWLiAa7iLxkhsEwLJ2eePTkylQFVM=',
    });
  });

  it('keeps the signature of the body and the id on a retry, and renews the times', () => {
    const first = signDelivery(delivery);
    const retry = signDelivery({ ...delivery, timestampSeconds: 1_700_086_400 });
    expect(retry['X-Webhook-Signature']).toBe(first['X-Webhook-Signature']);
    expect(retry['webhook-id']).toBe(first['webhook-id']);
    expect(retry['X-Webhook-Timestamp']).toBe('1700086400');
    expect(retry['webhook-timestamp']).toBe('1700086400');
    expect(retry['webhook-signature']).not.toBe(first['webhook-signature']);
  });

  it('can be verified with either secret during a rotation', () => {
    const headers = signDelivery({ ...delivery, secrets: { current: SECRET, next: NEXT_SECRET } });
    expect(verifySignature(SECRET, BODY, headers['X-Webhook-Signature'])).toBe(true);
    expect(verifySignature(NEXT_SECRET, BODY, headers['X-Webhook-Signature-Next'])).toBe(true);
    const sign = (secret: string) => new Webhook(secret).sign('42', new Date(delivery.timestampSeconds * 1000), BODY);
    expect(headers['webhook-signature']).toBe(`${sign(SECRET)} ${sign(NEXT_SECRET)}`);
  });

  it('equals the signature of a Standard Webhooks library, for any body', () => {
    fc.assert(
      fc.property(secrets, fc.json(), fc.maxSafeNat(), fc.nat(2 ** 31), (secret, data, id, timestampSeconds) => {
        const body = composeBody({ id, type: 'a.b', data: Buffer.from(data), timestamp: timestampSeconds });
        const signed = { ...delivery, secrets: { current: secret }, body, eventId: id, timestampSeconds };
        const expected = new Webhook(secret).sign(String(id), new Date(timestampSeconds * 1000), body);
        expect(signDelivery(signed)['webhook-signature']).toBe(expected);
      }),
    );
  });
});

describe('verifySignature', () => {
  it('accepts signatures of signDelivery, for any secret and body', () => {
    fc.assert(
      fc.property(secrets, bodies, (secret, body) => {
        const headers = signDelivery({ ...delivery, secrets: { current: secret }, body });
        expect(verifySignature(secret, body, headers['X-Webhook-Signature'])).toBe(true);
      }),
    );
  });

  it('rejects a body with one bit changed, and another secret', () => {
    fc.assert(
      fc.property(
        bodies.filter((body) => body.length > 0),
        fc.nat(),
        fc.nat(7),
        (body, at, bit) => {
          const header = signDelivery({ ...delivery, body })['X-Webhook-Signature'];
          const changed = Buffer.from(body);
          changed[at % body.length]! ^= 1 << bit;
          expect(verifySignature(SECRET, changed, header)).toBe(false);
          expect(verifySignature(NEXT_SECRET, body, header)).toBe(false);
        },
      ),
    );
  });

  it('rejects any other text without throwing', () => {
    const right = signDelivery(delivery)['X-Webhook-Signature']!;
    const hex = right.slice('sha256='.length);
    const near = ['', hex, `sha1=${hex}`, `sha256=${hex.toUpperCase()}`, `${right} `, right.slice(0, -1), 'sha256='];
    const wrong = [...near, 'é'.repeat(36), undefined, [right, right]];
    expect(wrong.filter((header) => verifySignature(SECRET, BODY, header))).toEqual([]);
    fc.assert(fc.property(fc.string(), (header) => !verifySignature(SECRET, BODY, header)));
  });
});

describe('generateSigningSecret', () => {
  it('makes whsec_ and the base64 of 24 random bytes, never the same twice', () => {
    const made = Array.from({ length: 1_000 }, generateSigningSecret);
    expect(new Set(made).size).toBe(1_000);
    expect(made.filter((secret) => !/^whsec_[A-Za-z0-9+/]{32}$/.test(secret))).toEqual([]);
    expect(Buffer.from(made[0]!.slice('whsec_'.length), 'base64')).toHaveLength(24);
  });
});

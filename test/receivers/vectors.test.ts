import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { verifySignature } from '../../src/sender/signature';
import { buildVectors, type SignatureVectors } from './build-vectors';

const FILE = join(__dirname, '..', '..', 'docs', 'vectors', 'signatures.json');

/**
 * `OVERWRITE=1 npm test -- test/receivers/vectors` writes the file again: existing receivers were tested with the old
 * one.
 */
if (process.env['OVERWRITE'] === '1') writeFileSync(FILE, `${JSON.stringify(buildVectors(), null, 2)}\n`);

const published = JSON.parse(readFileSync(FILE, 'utf8')) as SignatureVectors;
const { accepted, refused } = published;
const bytes = ({ body_base64 }: { body_base64: string }) => Buffer.from(body_base64, 'base64');

it('the published vectors are what the sender produces today', () => {
  expect(published).toEqual(buildVectors());
});

it('names are unique', () => {
  const names = [...accepted, ...refused].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(accepted)('accepted: $name', (vector) => {
  const body = bytes(vector);
  const { headers, secret, next_secret: nextSecret } = vector;

  it('is verified as the specification describes', () => {
    const hmac = (key: string) => `sha256=${createHmac('sha256', Buffer.from(key, 'utf8')).update(body).digest('hex')}`;
    expect(headers['X-Webhook-Signature']).toBe(hmac(secret));
    expect(headers['X-Webhook-Signature-Next']).toBe(nextSecret === undefined ? undefined : hmac(nextSecret));
  });

  it('has the signature that a Standard Webhooks library makes', () => {
    const time = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const secrets = [secret, ...(nextSecret === undefined ? [] : [nextSecret])];
    const signatures = secrets.map((key) => new Webhook(key).sign(headers['webhook-id']!, time, body.toString()));
    expect(headers['webhook-signature']).toBe(signatures.join(' '));
  });

  it('has the same body as text and as bytes', () => {
    expect(body.length).toBe(vector.body_bytes);
    if (vector.body_text !== null) expect(Buffer.from(vector.body_text)).toEqual(body);
    expect(body.toString()).toMatch(
      new RegExp(`^\\{"id":${headers['X-Webhook-ID']},"type":"${headers['X-Webhook-Type']}",`),
    );
  });
});

it.each(refused)('refused: $name', ({ secret, headers, ...vector }) => {
  const body = bytes(vector);
  expect(verifySignature(secret, body, headers['X-Webhook-Signature'])).toBe(false);
  expect(verifySignature(secret, body, headers['X-Webhook-Signature-Next'])).toBe(false);
});

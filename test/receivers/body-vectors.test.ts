import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { verifySignature } from '../../src/sender/signature';
import { buildBodyVectors, type BodyVectors } from './build-body-vectors';

const FILE = join(__dirname, '..', '..', 'docs', 'vectors', 'bodies.json');

/** `OVERWRITE=1 npm test -- test/receivers/body-vectors` writes the file again. */
if (process.env['OVERWRITE'] === '1') writeFileSync(FILE, `${JSON.stringify(buildBodyVectors(), null, 2)}\n`);

const published = JSON.parse(readFileSync(FILE, 'utf8')) as BodyVectors;
const { secret, deliveries } = published;

it('the published vectors are what the sender produces today', () => {
  expect(published).toEqual(buildBodyVectors());
});

it.each(deliveries)('$name: both signatures cover the bytes of the body', ({ headers, body_base64, body_text }) => {
  const body = Buffer.from(body_base64, 'base64');
  expect(body.toString()).toBe(body_text);
  expect(verifySignature(secret, body, headers['X-Webhook-Signature'])).toBe(true);
  const time = new Date(Number(headers['webhook-timestamp']) * 1_000);
  expect(new Webhook(secret).sign(headers['webhook-id']!, time, body.toString())).toBe(headers['webhook-signature']);
});

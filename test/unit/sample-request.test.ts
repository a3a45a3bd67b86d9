import { SAMPLE_SECRET, sampleRequest } from '../../dashboard/src/event-types/sample-request';
import { BODY_SHAPES, bodyFormOf, bodyHeaders } from '../../src/domain/body-form';
import { isSigningSecret } from '../../src/domain/signing-secret';
import { composeBody, signDelivery } from '../../src/sender/signature';

it.each(BODY_SHAPES)('a sample of the shape %s has the bytes and the headers of a delivery', async (shape) => {
  const data = { customer: 'Zoë', total: 4.2 };
  const sample = await sampleRequest('order.created', data, shape);
  const timestamp = Number(sample.headers['webhook-timestamp']);
  const event = { id: Number(sample.headers['webhook-id']), type: 'order.created', timestamp };
  const form = bodyFormOf({ shape }, 'acc_sample');
  const body = composeBody({ ...event, data: Buffer.from(JSON.stringify(data)) }, form);
  expect(sample.body).toBe(body.toString());
  expect(sample.headers).toEqual(
    signDelivery({
      secrets: { current: SAMPLE_SECRET },
      body,
      eventId: event.id,
      eventType: event.type,
      bodyHeaders: bodyHeaders(event, form),
      timestampSeconds: timestamp,
    }),
  );
});

it('the sample secret is one that any library of Standard Webhooks accepts', () => {
  expect(isSigningSecret(SAMPLE_SECRET)).toBe(true);
});

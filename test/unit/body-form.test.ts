import fc from 'fast-check';
import { BODY_SHAPES, bodyFormOf, bodyHeaders, bodyText, type BodyShape } from '../../src/domain/body-form';
import { composeBody } from '../../src/sender/signature';

const DATA = '{"n":12345678901234567890,"x":1.0,"b":1,"a":2,"2":0,"1":0,"b":1E400, "é":"\\u00e9"}';
const EVENT = { id: 1_001, type: 'order.created', timestamp: 1_767_225_600 };

const formOf = (shape: BodyShape, masks = {}) => bodyFormOf({ shape, ...masks }, 'acc_1');
const bodyOf = (shape: BodyShape, data = DATA) => composeBody({ ...EVENT, data: Buffer.from(data) }, formOf(shape));

it('each shape has the bytes of data as they were sent', () => {
  expect(bodyOf('envelope').toString()).toBe(
    `{"id":1001,"type":"order.created","data":${DATA},"timestamp":1767225600}`,
  );
  expect(bodyOf('data').toString()).toBe(DATA);
  expect(bodyOf('standard').toString()).toBe(
    `{"type":"order.created","timestamp":"2026-01-01T00:00:00.000Z","data":${DATA}}`,
  );
  expect(bodyOf('cloudevents').toString()).toBe(
    '{"specversion":"1.0","id":"1001","source":"urn:everpost:acc_1","type":"order.created",' +
      `"time":"2026-01-01T00:00:00.000Z","datacontenttype":"application/json","data":${DATA}}`,
  );
});

it('no options are the envelope', () => {
  expect(bodyFormOf(undefined, 'acc_1')).toMatchObject({ shape: 'envelope' });
  expect(composeBody({ ...EVENT, data: Buffer.from(DATA) })).toEqual(bodyOf('envelope'));
});

it('any data is in the body of any shape, byte for byte, and the body is JSON with it', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(...BODY_SHAPES), (data, shape) => {
      const body = bodyOf(shape, data).toString();
      expect(body).toContain(data);
      const parsed: unknown = JSON.parse(body);
      expect(shape === 'data' ? parsed : (parsed as { data: unknown }).data).toEqual(JSON.parse(data));
    }),
  );
});

it('masks cut from data before it is put into its shape, the same as text and as bytes', () => {
  fc.assert(
    fc.property(fc.constantFrom(...BODY_SHAPES), fc.boolean(), (shape, isInclude) => {
      const form = formOf(shape, { [isInclude ? 'include' : 'exclude']: ['n', 'é'] });
      const body = composeBody({ ...EVENT, data: Buffer.from(DATA) }, form).toString();
      expect(body).toBe(bodyText(EVENT, DATA, form));
      expect(body).toContain(
        isInclude ? '{"n":12345678901234567890,"é":"\\u00e9"}' : '{"x":1.0,"b":1,"a":2,"2":0,"1":0,"b":1E400}',
      );
    }),
  );
});

it('the headers say what the body is, and what a body of data alone leaves out', () => {
  const headersOf = (shape: BodyShape) => bodyHeaders(EVENT, formOf(shape));
  expect(headersOf('envelope')).toEqual({ 'Content-Type': 'application/json' });
  expect(headersOf('standard')).toEqual({ 'Content-Type': 'application/json' });
  expect(headersOf('cloudevents')).toEqual({ 'Content-Type': 'application/cloudevents+json' });
  expect(headersOf('data')).toEqual({
    'Content-Type': 'application/json',
    'X-Webhook-Event-Timestamp': '1767225600',
  });
});

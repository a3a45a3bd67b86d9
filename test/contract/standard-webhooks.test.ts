import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { BODY_SHAPES, type BodyShape } from '../../src/domain/body-form';
import { useCaller } from '../support/build-caller';
import { buildReceiver, type ReceivedRequest } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { useFixture } from '../support/fixture';
import { hasGoFor } from '../support/go-tools';
import { pythonTools } from '../support/python-tools';

// The libraries of strangers take our deliveries in every shape, and refuse changed ones.

const DATA = '{"n":12345678901234567890,"x":1.0,"b":"ä路😀","2":0,"1":0}';

const stack = useStack();
const api = useCaller(stack);
const receiver = useFixture('file', buildReceiver, (it) => it.close());

/** A real delivery, as the receiver got it. */
interface Delivery {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const deliveries = new Map<BodyShape, Delivery>();

beforeAll(async () => {
  const secrets = new Map<string, string>();
  for (const shape of BODY_SHAPES) {
    const { secret } = await api.register({ url: `${receiver.url}/${shape}`, options: { body: shape } });
    secrets.set(shape, secret);
  }
  const ingest = await api.post('/api/v1/webhooks/events', `{"type":"order.created","data":${DATA}}`);
  expect(ingest.status).toBe(202);
  for (const request of await receiver.waitFor(BODY_SHAPES.length)) {
    const shape = request.path.split('/').at(-1) as BodyShape;
    deliveries.set(shape, { secret: secrets.get(shape)!, headers: headersOf(request), body: request.body.toString() });
  }
});

function headersOf({ headers }: ReceivedRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Each delivery as it came, and with another number in its data. */
function forOthers() {
  const all = [...deliveries.values()].flatMap((it) => [it, { ...it, body: it.body.replace('1.0', '1.1') }]);
  expect(all).toHaveLength(2 * BODY_SHAPES.length);
  return JSON.stringify(all.map((it) => ({ ...it, body: Buffer.from(it.body).toString('base64') })));
}

const VERDICTS = 'verified\nrefused\n'.repeat(BODY_SHAPES.length);

describe.each(BODY_SHAPES)('standardwebhooks from npm, %s', (shape) => {
  it('verifies a real delivery, and rejects a changed one', () => {
    const { secret, headers, body } = deliveries.get(shape)!;
    const webhook = new Webhook(secret);
    expect(body).toContain(DATA);
    expect(webhook.verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => webhook.verify(body.replace('1.0', '1.1'), headers)).toThrow(/signature/i);
    expect(() => new Webhook(`whsec_${Buffer.from('x'.repeat(24)).toString('base64')}`).verify(body, headers)).toThrow(
      /signature/i,
    );
    expect(() => webhook.verify(body, { ...headers, 'webhook-timestamp': '1' })).toThrow(/old/i);
  });
});

it("a receiver of Svix's own library, unchanged, takes a delivery of data alone", () => {
  const { secret, headers, body } = deliveries.get('data')!;
  expect(body).toBe(DATA);
  expect(new SvixWebhook(secret).verify(body, headers)).toEqual(JSON.parse(DATA));
  expect(() => new SvixWebhook(secret).verify(body.replace('1.0', '1.1'), headers)).toThrow(/signature/i);
});

/** Reads what to verify from stdin; prints a line for each. */
const PROGRAM = `
import base64, json, sys
from standardwebhooks import Webhook, WebhookVerificationError
for given in json.load(sys.stdin):
    try:
        Webhook(given["secret"]).verify(base64.b64decode(given["body"]), given["headers"])
        print("verified")
    except WebhookVerificationError as error:
        print("refused")
`;

it('standardwebhooks from PyPI verifies real deliveries of every shape, and rejects changed ones', async () => {
  const tools = await pythonTools();
  if (!tools) return;
  const ended = await tools.run(['-c', PROGRAM], { stdin: forOthers() });
  expect(ended).toMatchObject({ code: 0, stdout: VERDICTS });
}, 300_000);

it('standard-webhooks for Go verifies real deliveries of every shape, and rejects changed ones', () => {
  const module = join(__dirname, 'standard-webhooks-go');
  if (!hasGoFor(module, 'the Go library of Standard Webhooks verified nothing')) return;
  const told = execFileSync('go', ['run', '.'], {
    cwd: module,
    input: forOthers(),
    env: { ...process.env, GOFLAGS: '' },
  });
  expect(told.toString()).toBe(VERDICTS);
}, 300_000);

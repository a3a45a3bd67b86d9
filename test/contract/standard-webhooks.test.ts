import { Webhook } from 'standardwebhooks';
import { useCaller } from '../support/build-caller';
import { buildReceiver, type ReceivedRequest } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { useFixture } from '../support/fixture';
import { pythonTools } from '../support/python-tools';

const DATA = '{"n":12345678901234567890,"x":1.0,"b":"ä路😀","2":0,"1":0}';

const stack = useStack();
const api = useCaller(stack);
const receiver = useFixture('file', buildReceiver, (it) => it.close());
let secret: string;
/** A real delivery, as the receiver got it. */
let delivery: ReceivedRequest;

beforeAll(async () => {
  ({ secret } = await api.register({ url: receiver.url }));
  const ingest = await api.post('/api/v1/webhooks/events', `{"type":"order.created","data":${DATA}}`);
  expect(ingest.status).toBe(202);
  [delivery] = (await receiver.waitFor(1)) as [ReceivedRequest];
});

const headers = (): Record<string, string> =>
  Object.fromEntries(Object.entries(delivery.headers).map(([name, value]) => [name, String(value)]));

it('standardwebhooks from npm verifies a real delivery, and rejects a changed one', () => {
  const webhook = new Webhook(secret);
  const body = delivery.body.toString();
  expect(body).toContain(`"data":${DATA}`);
  expect(webhook.verify(body, headers())).toMatchObject({ type: 'order.created' });
  expect(() => webhook.verify(body.replace('1.0', '1.1'), headers())).toThrow(/signature/i);
  expect(() => new Webhook(`whsec_${Buffer.from('x'.repeat(24)).toString('base64')}`).verify(body, headers())).toThrow(
    /signature/i,
  );
  expect(() => webhook.verify(body, { ...headers(), 'webhook-timestamp': '1' })).toThrow(/old/i);
});

/** Reads what to verify from stdin; prints a line for each try. */
const PROGRAM = `
import base64, json, sys
from standardwebhooks import Webhook, WebhookVerificationError
given = json.load(sys.stdin)
body = base64.b64decode(given["body"])
def attempt(payload):
    try:
        return "verified " + Webhook(given["secret"]).verify(payload, given["headers"])["type"]
    except WebhookVerificationError as error:
        return "refused"
print(attempt(body.decode()))
print(attempt(body.decode().replace("1.0", "1.1")))
`;

it('standardwebhooks from PyPI verifies a real delivery, and rejects a changed one', async () => {
  const tools = await pythonTools();
  if (!tools) return;
  const stdin = JSON.stringify({ secret, headers: headers(), body: delivery.body.toString('base64') });
  const ended = await tools.run(['-c', PROGRAM], { stdin });
  expect(ended).toMatchObject({ code: 0, stdout: 'verified order.created\nrefused\n' });
}, 300_000);

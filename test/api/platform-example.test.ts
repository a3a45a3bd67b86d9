import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { apiClient } from '../support/api-client';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';

const PROGRAM = join(__dirname, '..', '..', 'examples', 'platform', 'platform.mjs');

const stack = useStack();
const receiver = useReceiver();

const running: ChildProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.kill()) await once(child, 'close');
  }
});

/** Runs the example until it serves its page. @returns what it printed before, and the page's address */
async function runExample(key: string) {
  const env = { EVERPOST_URL: stack.url, EVERPOST_ADMIN_KEY: key, RECEIVER_URL: receiver.url, PORT: '0' };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  const printed: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    const [, page] = /^Open (http:\S+)$/.exec(line) ?? [];
    if (page !== undefined) return { printed, page };
    printed.push(line);
  }
  throw new Error(`The example ended: ${printed.join('\n')}`);
}

it('the example of a platform makes an account, an endpoint and an event, and the same again changes nothing', async () => {
  const { key } = await stack.managementKey();

  const first = await runExample(key);
  const second = await runExample(key);

  const paths = ['PUT /accounts/cus_42', 'PUT /webhooks/endpoints/main', 'POST /webhooks/events'];
  expect(first.printed).toEqual([`201 ${paths[0]}`, `201 ${paths[1]}`, `202 ${paths[2]}`]);
  expect(second.printed).toEqual([`200 ${paths[0]}`, `200 ${paths[1]}`, `202 ${paths[2]}`]);
  const [request] = await receiver.waitFor(2);
  expect(JSON.parse(request!.body.toString())).toMatchObject({ type: 'order.created', data: { order: 4711 } });
  const { body } = await apiClient(stack.url, key).get('/api/v1/accounts/cus_42');
  expect(body).toMatchObject({ name: 'Acme Inc.', limits: { per_minute: 600 } });
});

it('the page of the example frames the portal by a link that its own server makes', async () => {
  const { page } = await runExample((await stack.managementKey()).key);

  const html = await (await fetch(page)).text();
  const session = await fetch(`${page}portal-session`, { method: 'POST' });

  expect(html).toContain('<iframe id="portal"');
  expect(session.status).toBe(200);
  const link = (await session.json()) as { url: string };
  expect(link).toEqual({ url: expect.stringMatching(/\/portal#[\w-]{40,}$/) });
  expect(link.url.startsWith(stack.url)).toBe(true);
});

import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { composeBody, generateSigningSecret, signDelivery } from '../src/sender/signature';

/** Sent by the parent: the receiver's URL, the trusted certificate, and the key of the calls. */
interface Task {
  readonly receiverUrl: string;
  readonly ca: string;
  readonly key: string;
}

// The price of durability: checks a key in memory, answers 202, signs and posts. No database, no workflow engine, no
// retry.
process.once('message', ({ receiverUrl, ca, key }: Task) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64, ca });
  const keys = new Set([`Bearer ${key}`]);
  const secrets = { current: generateSigningSecret() };
  let lastId = 0;
  const app = new Koa();
  app.use(async (context) => {
    if (!keys.has(context.get('authorization'))) return context.throw(401);
    const { type, data } = JSON.parse(await text(context.req)) as { type: string; data: unknown };
    const id = (lastId += 1);
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const body = composeBody({ id, type, data: Buffer.from(JSON.stringify(data)), timestamp: timestampSeconds });
    const signed = signDelivery({ secrets, body, eventId: id, eventType: type, timestampSeconds });
    const headers = { ...signed, 'Content-Length': body.length };
    const outgoing = request(receiverUrl, { method: 'POST', agent, headers }, (answer) => void answer.resume());
    outgoing.once('error', (error) => console.error(error.message));
    outgoing.end(body);
    context.status = 202;
    context.body = { id };
  });
  const server = app.listen(0, '127.0.0.1', () => {
    process.send?.({ kind: 'listening', port: (server.address() as AddressInfo).port });
  });
});
process.on('disconnect', () => process.exit(0));

import type { AddressInfo } from 'node:net';
import express from 'express';
import { createEverpost, verify } from 'everpost-client';

interface Order {
  readonly id: string;
}

const { EVERPOST_URL: baseUrl = '', EVERPOST_KEY: apiKey = '' } = process.env;
let secret = '';

const app = express();
app.post('/', express.raw({ type: 'application/json' }), (request, response) => {
  const { type, data } = verify<Order>({ secret, body: request.body, headers: request.headers });
  response.sendStatus(204);
  console.log('verified', type, data.id);
  server.close();
});

const server = app.listen(0, async () => {
  const { port } = server.address() as AddressInfo;
  const everpost = createEverpost({ baseUrl, apiKey });
  ({ secret } = await everpost.endpoints.create({ url: `http://127.0.0.1:${port}/` }));
  const order: Order = { id: 'ord_42' };
  await everpost.events.send({ type: 'order.created', data: order });
});

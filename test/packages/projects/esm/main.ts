import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createEverpost, verify } from 'everpost-client';

interface Order {
  readonly id: string;
}

const { EVERPOST_URL: baseUrl = '', EVERPOST_KEY: apiKey = '' } = process.env;
let secret = '';

const server = createServer(async (request, response) => {
  const { type, data } = verify<Order>({ secret, body: await buffer(request), headers: request.headers });
  response.writeHead(204).end();
  console.log('verified', type, data.id);
  server.close();
});
server.listen(0, async () => {
  const { port } = server.address() as AddressInfo;
  const everpost = createEverpost({ baseUrl, apiKey });
  ({ secret } = await everpost.endpoints.create({ url: `http://127.0.0.1:${port}/` }));
  const order: Order = { id: 'ord_42' };
  await everpost.events.send({ type: 'order.created', data: order });
});

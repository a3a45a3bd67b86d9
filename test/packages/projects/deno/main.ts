import { createEverpost, verify } from 'everpost-client';

interface Order {
  readonly id: string;
}

let secret = '';
const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: () => undefined }, async (request) => {
  const { type, data } = verify<Order>({ secret, body: await request.arrayBuffer(), headers: request.headers });
  console.log('verified', type, data.id);
  setTimeout(() => Deno.exit());
  return new Response(null, { status: 204 });
});
const everpost = createEverpost({ baseUrl: Deno.env.get('EVERPOST_URL')!, apiKey: Deno.env.get('EVERPOST_KEY')! });
({ secret } = await everpost.endpoints.create({ url: `http://127.0.0.1:${server.addr.port}/` }));
const order: Order = { id: 'ord_42' };
await everpost.events.send({ type: 'order.created', data: order });

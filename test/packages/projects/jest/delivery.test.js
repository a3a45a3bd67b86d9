const { createServer } = require('node:http');
const { buffer } = require('node:stream/consumers');
const { createEverpost, verify } = require('everpost-client');

test('a delivery is verified', async () => {
  const everpost = createEverpost({ baseUrl: process.env.EVERPOST_URL, apiKey: process.env.EVERPOST_KEY });
  let receive;
  const received = new Promise((resolve) => (receive = resolve));
  const server = createServer(async (request, response) => {
    receive({ body: await buffer(request), headers: request.headers });
    response.writeHead(204).end();
  });
  await new Promise((resolve) => server.listen(0, resolve));
  const { secret } = await everpost.endpoints.create({ url: `http://127.0.0.1:${server.address().port}/` });
  await everpost.events.send({ type: 'order.created', data: { id: 'ord_42' } });

  const { body, headers } = await received;
  const { type, data } = verify({ secret, body, headers });
  expect([type, data]).toEqual(['order.created', { id: 'ord_42' }]);
  process.stdout.write(`verified ${type} ${data.id}\n`);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}, 60_000);

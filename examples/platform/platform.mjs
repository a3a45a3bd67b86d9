// A platform that gives its customer webhooks: an account, an endpoint, an event, and the portal inside a page of its own.
// Run it against `npm start` with PORTAL_ORIGINS=http://127.0.0.1:3000; see README.md beside it.
import { on, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { EVERPOST_URL = 'http://127.0.0.1:8080', EVERPOST_ADMIN_KEY, RECEIVER_URL, PORT = '3000' } = process.env;
if (!EVERPOST_ADMIN_KEY || !RECEIVER_URL) throw new Error('Set EVERPOST_ADMIN_KEY and RECEIVER_URL.');

const CUSTOMER = 'cus_42';

/** Calls the API, and prints the call. @param account the customer for whom the call is, if it is for one */
async function call(method, path, body, account) {
  const answer = await fetch(`${EVERPOST_URL}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${EVERPOST_ADMIN_KEY}`,
      'Content-Type': 'application/json',
      ...(account && { 'Everpost-Account': account }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  console.log(`${answer.status} ${method} ${path}`);
  const result = await answer.json();
  if (!answer.ok) throw new Error(`${result.code}: ${result.error}`);
  return result;
}

// Each PUT says what should be, so the program can run again and again, at each start or from a job.
await call('PUT', `/accounts/${CUSTOMER}`, { name: 'Acme Inc.', limits: { per_minute: 600 } });
await call('PUT', '/webhooks/endpoints/main', { url: RECEIVER_URL, events: ['order.*'] }, CUSTOMER);
await call('POST', '/webhooks/events', { type: 'order.created', data: { order: 4711 } }, CUSTOMER);

/** A link into the portal for one person. Ask who is signed in at your own product before you make one. */
const openPortal = () => call('POST', `/accounts/${CUSTOMER}/portal-sessions`, { role: 'manager', subject: 'user_7' });

async function serve(request, response) {
  if (request.method === 'POST' && request.url === '/portal-session') {
    const { url } = await openPortal();
    // The token stays here: the page needs only the link.
    response.setHeader('Cache-Control', 'no-store').setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ url }));
  } else if (request.method === 'GET' && request.url === '/') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(await readFile(new URL('index.html', import.meta.url)));
  } else response.writeHead(404).end();
}

const server = createServer();
await once(server.listen(Number(PORT), '127.0.0.1'), 'listening');
console.log(`Open http://127.0.0.1:${server.address().port}/`);
for await (const [request, response] of on(server, 'request')) {
  try {
    await serve(request, response);
  } catch (error) {
    console.error(error.message);
    response.writeHead(502).end();
  }
}

import { Server as ProxyServer } from 'proxy-chain';
import { buildCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { buildStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';

const PASSWORD = 'everpost-proxy-secret';

/** A stack whose deliveries go through a real proxy, whose password can be changed. */
const fixture = useFixture(
  'file',
  async () => {
    const proxy = { password: PASSWORD, refusals: 0, tunnels: 0 };
    const server = new ProxyServer({
      port: 0,
      host: '127.0.0.1',
      prepareRequestFunction({ password }) {
        const isRight = password === proxy.password;
        if (isRight) proxy.tunnels += 1;
        else proxy.refusals += 1;
        return { requestAuthentication: !isRight };
      },
    });
    await server.listen();
    const stack = await buildStack({ env: { DELIVERY_PROXY: `http://everpost:${PASSWORD}@127.0.0.1:${server.port}` } });
    return { proxy, server, stack };
  },
  async ({ stack, server }) => {
    await stack.close();
    await server.close(true);
  },
);
const receiver = useReceiver();

it('deliveries go through DELIVERY_PROXY, and a proxy that rejects our credentials uses up no attempt', async () => {
  const { proxy, stack } = fixture;
  proxy.password = 'another';
  const caller = await buildCaller(stack);
  await caller.register({ url: receiver.url });
  const { id } = await caller.ingest();
  await eventually(
    () => proxy.refusals,
    (count) => count >= 2,
  );
  const { body: waiting } = await caller.get(`/api/v1/webhooks/events/${id}`);
  expect([waiting.status, waiting.deliveries[0].attempt_count, receiver.requests.length]).toEqual(['pending', 0, 0]);

  proxy.password = PASSWORD;

  const { body } = await caller.untilEvent(id, 'delivered');
  expect([body.deliveries[0].attempt_count, receiver.requests.length, proxy.tunnels]).toEqual([1, 1, 1]);
});

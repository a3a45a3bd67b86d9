import type { HttpContext } from '../../src/http/request-state';
import type { AddressLimiter } from '../../src/limits/address-limiter';
import type { Limiter } from '../../src/limits/limiter';
import { createAdmit } from '../../src/limits/middleware';

it('of batches that arrive at once, one begins in each turn of the event loop', async () => {
  const limiter = { lastKnown: () => undefined } as unknown as Limiter;
  const managementCalls = {} as AddressLimiter;
  const usage = { noteCalls: () => undefined, noteRefusal: () => undefined };
  const admit = createAdmit({
    limiter,
    usage,
    clientAddress: () => '192.0.2.1',
    countsItself: () => true,
    managementCalls,
  });
  const begun: number[] = [];
  const batches = Array.from({ length: 4 }, (_, index) =>
    admit({ state: { credential: { account: `acc_${index}` } } } as HttpContext, async () => void begun.push(index)),
  );

  const seen: number[] = [];
  while (begun.length < batches.length) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(begun.length);
  }

  expect(seen).toEqual([1, 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3]);
  await Promise.all(batches);
});

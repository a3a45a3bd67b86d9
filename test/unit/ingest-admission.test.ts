import { createIngestAdmission } from '../../src/events/ingest-admission';

const call = { bytes: 10, waitedMs: 0, onGone: () => () => undefined };

it('a call whose patience ended before it could begin is refused, and nothing is tried for it', async () => {
  const admission = createIngestAdmission({ calls: 1, bytes: 100, patienceMs: 2_000 });
  const ingest = jest.fn(() => Promise.resolve('accepted'));

  await expect(admission.run({ ...call, waitedMs: 2_000 }, ingest)).rejects.toMatchObject({ code: 'ingest_busy' });
  expect(ingest).not.toHaveBeenCalled();
  expect(await admission.run({ ...call, waitedMs: 1_000 }, ingest)).toBe('accepted');
});

it('a call that does not fit is refused at once, until another one has ended', async () => {
  const admission = createIngestAdmission({ calls: 1, bytes: 100, patienceMs: 2_000 });
  let end: (value: string) => void = () => undefined;
  const first = admission.run(call, () => new Promise<string>((resolve) => (end = resolve)));
  const second = jest.fn(() => Promise.resolve('accepted'));

  await expect(admission.run(call, second)).rejects.toMatchObject({ code: 'ingest_busy' });
  expect(second).not.toHaveBeenCalled();
  end('accepted');
  expect(await first).toBe('accepted');
  expect(await admission.run(call, second)).toBe('accepted');
});

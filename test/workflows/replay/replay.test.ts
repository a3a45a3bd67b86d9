import { DeterminismViolationError } from '@temporalio/workflow';
import { buildReplay, readHistories, stopsOf, type RecordedHistory, type Replay } from './recorded-histories';

// Deliveries sleep for up to 24 hours, so a new version of the workflow wakes up in the middle of executions that the
// old one began. These histories are such executions. A change of the workflow that fails here would block deliveries
// in flight: guard it with patched(), and record the new path beside the old ones (record-histories.ts says how).

const { names: NAMES, read } = readHistories();

let replay: Replay;

beforeAll(async () => {
  replay = await buildReplay('delivery/1/ep_replay');
}, 60_000);

test.each(NAMES)('a delivery in flight continues on the present code: %s', async (name) => {
  await expect(replay(read(name))).resolves.toBeUndefined();
});

test.each(NAMES)('a delivery continues from each moment at which the old code may have stopped: %s', async (name) => {
  for (const stop of stopsOf(read(name))) await expect(replay(stop)).resolves.toBeUndefined();
});

test('a workflow that would do something else is found out', async () => {
  // As if the present code asked for another activity than the one that made this history.
  const text = JSON.stringify(read('delivered-at-third-attempt'));
  const other = text.replaceAll('"activityType":{"name":"attemptDelivery"}', '"activityType":{"name":"somethingElse"}');
  expect(other).not.toBe(text);

  await expect(replay(JSON.parse(other) as RecordedHistory)).rejects.toThrow(DeterminismViolationError);
});

test('the histories hold ids only: no data, no URL, no secret', () => {
  for (const name of NAMES) {
    const text = payloadsOf(read(name)).join('\n');
    expect(text).toContain('"endpointId"');
    // Of the destination only the host is there, in the summary that operators read.
    for (const forbidden of ['http://', '/hook', 'whsec_', 'answer 200', '"n":1.0'])
      expect(text).not.toContain(forbidden);
  }
});

/** Every payload of the history, decoded. */
function payloadsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'data' in value && typeof value.data === 'string' ? [Buffer.from(value.data, 'base64').toString()] : [];
  return [...own, ...Object.values(value).flatMap(payloadsOf)];
}

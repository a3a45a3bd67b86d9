import { DeterminismViolationError } from '@temporalio/workflow';
import { readHistories, replayAll, stopsOf, type RecordedHistory } from './recorded-histories';

// Deliveries sleep for up to 24 hours, so a new version of the workflow wakes up in the middle of executions that the
// old one started. These histories are such executions. A change of the workflow that fails here would block deliveries
// in flight: guard it with patched(), and record the new path beside the old ones (record-histories.ts says how).

const { names, read } = readHistories();
const WORKFLOW_ID = 'delivery/1/ep_replay';
const EXAMPLES = ['delivered-at-third-attempt', 'held-at-a-paused-endpoint', 'released-from-the-gate'];
// Of the destination only the host is there, in the summary that operators read.
const FORBIDDEN = ['http://', '/hook', 'whsec_', 'answer 200', '"n":1.0'];

describe('a delivery of an earlier version', () => {
  it('has a recorded history', () => {
    expect(names).toEqual(expect.arrayContaining(EXAMPLES));
  });

  it.each(names)('continues from each point at which the old code may have stopped: %s', async (name) => {
    const stops = stopsOf(read(name));
    expect(stops.at(-1)).toEqual(read(name));
    await expect(replayAll(WORKFLOW_ID, stops)).resolves.toBeUndefined();
  });

  it('fails the replay when the present code schedules another activity', async () => {
    const text = JSON.stringify(read(EXAMPLES[0]!));
    const other = text.replaceAll(
      `"activityType":{"name":"attemptDelivery"}`,
      '"activityType":{"name":"somethingElse"}',
    );
    expect(other).not.toBe(text);

    const history = JSON.parse(other) as RecordedHistory;
    await expect(replayAll(WORKFLOW_ID, [history])).rejects.toThrow(DeterminismViolationError);
  });

  it('contains only ids and numbers: no data, URL or secret', () => {
    for (const name of names) {
      const text = payloadsOf(read(name)).join('\n');
      expect(text).toContain('"endpointId"');
      for (const word of FORBIDDEN) expect(text).not.toContain(word);
    }
  });
});

/** Every payload of the history, decoded. */
function payloadsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'data' in value && typeof value.data === 'string' ? [Buffer.from(value.data, 'base64').toString()] : [];
  return [...own, ...Object.values(value).flatMap(payloadsOf)];
}

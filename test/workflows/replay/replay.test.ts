import { DeterminismViolationError } from '@temporalio/workflow';
import { readHistories, replayAll, stopsOf, type RecordedHistory } from './recorded-histories';

// Deliveries sleep for up to 24 hours and a bulk replay runs for hours, so a new version of the workflows wakes up in the
// middle of executions that the old one began. These histories are such executions. A change of a workflow that fails
// here would block what is in flight: guard it with patched(), and record the new path beside the old ones
// (record-histories.ts says how).

describe.each([
  {
    execution: 'a delivery',
    histories: readHistories(),
    workflowId: 'delivery/1/ep_replay',
    examples: ['delivered-at-third-attempt', 'held-at-a-paused-endpoint', 'released-from-the-gate'],
    activity: 'attemptDelivery',
    id: '"endpointId"',
    // Of the destination only the host is there, in the summary that operators read.
    forbidden: ['http://', '/hook', 'whsec_', 'answer 200', '"n":1.0'],
  },
  {
    execution: 'a bulk replay',
    histories: readHistories('jobs'),
    workflowId: 'replay/rpl_replay',
    examples: ['completed'],
    activity: 'replayPage',
    id: '"jobId"',
    forbidden: ['http', 'ep_', 'failed', 'whsec_', '"n":1.0'],
  },
])(
  '$execution of an earlier version',
  ({ histories: { names, read }, workflowId, examples, activity, id, forbidden }) => {
    it('has a history to show it', () => {
      expect(names).toEqual(expect.arrayContaining([...examples]));
    });

    it.each(names)('continues from each moment at which the old code may have stopped: %s', async (name) => {
      const stops = stopsOf(read(name));
      expect(stops.at(-1)).toEqual(read(name));
      await expect(replayAll(workflowId, stops)).resolves.toBeUndefined();
    });

    it('is found out when the present code asks for another activity', async () => {
      const text = JSON.stringify(read(examples[0]!));
      const other = text.replaceAll(`"activityType":{"name":"${activity}"}`, '"activityType":{"name":"somethingElse"}');
      expect(other).not.toBe(text);

      const history = JSON.parse(other) as RecordedHistory;
      await expect(replayAll(workflowId, [history])).rejects.toThrow(DeterminismViolationError);
    });

    it('holds ids and numbers only: no data, no URL, no secret', () => {
      for (const name of names) {
        const text = payloadsOf(read(name)).join('\n');
        expect(text).toContain(id);
        for (const word of forbidden) expect(text).not.toContain(word);
      }
    });
  },
);

/** Every payload of the history, decoded. */
function payloadsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'data' in value && typeof value.data === 'string' ? [Buffer.from(value.data, 'base64').toString()] : [];
  return [...own, ...Object.values(value).flatMap(payloadsOf)];
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundle } from '@temporalio/worker';
import { quietTemporal } from '../../support/quiet-temporal';

// Deliveries sleep for up to 24 hours, so a new version of the workflow wakes up in the middle of executions that the
// old one began. These histories are such executions. A change of the workflow that fails here would block deliveries
// in flight: guard it with patched(), and record the new path beside the old ones (record-histories.ts says how).

const FOLDER = join(__dirname, 'histories');
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

let workflowBundle: WorkflowBundle & { code: string };

beforeAll(async () => {
  quietTemporal();
  const workflowsPath = join(__dirname, '..', '..', '..', 'workflows', 'index.ts');
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}, 60_000);

interface RecordedHistory {
  events: { eventId: string; eventType: string; [attributes: string]: unknown }[];
}

function readHistory(name: string): RecordedHistory {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as RecordedHistory;
}

/** Runs the present code over what the old code did. */
function replay(history: RecordedHistory): Promise<void> {
  return Worker.runReplayHistory({ workflowBundle }, history, 'delivery/1/ep_replay');
}

test.each(NAMES)('a delivery in flight continues on the present code: %s', async (name) => {
  await expect(replay(readHistory(name))).resolves.toBeUndefined();
});

test.each(NAMES)('a delivery continues from each moment at which the old code may have stopped: %s', async (name) => {
  const { events } = readHistory(name);
  for (const [index, { eventType }] of events.entries()) {
    if (eventType !== 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED') continue;
    // With what the completed task decided: those events follow it directly.
    const next = events.findIndex(
      (event, at) => at > index && event.eventType === 'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED',
    );
    const sofar = { events: next < 0 ? events : events.slice(0, next) };
    await expect(replay(sofar)).resolves.toBeUndefined();
  }
});

test('a workflow that would do something else is found out', async () => {
  // As if the present code asked for another activity than the one that made this history.
  const text = JSON.stringify(readHistory('delivered-at-third-attempt'));
  const other = text.replaceAll('"activityType":{"name":"attemptDelivery"}', '"activityType":{"name":"somethingElse"}');
  expect(other).not.toBe(text);

  await expect(replay(JSON.parse(other) as RecordedHistory)).rejects.toThrow(DeterminismViolationError);
});

test('the histories hold ids only: no data, no URL, no secret', () => {
  for (const name of NAMES) {
    const text = payloadsOf(readHistory(name)).join('\n');
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

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

test.each(NAMES)('a delivery in flight continues on the present code: %s', async (name) => {
  await Worker.runReplayHistory({ workflowBundle }, readHistory(name), 'delivery/1/ep_replay');
});

test.each(NAMES)('a delivery continues from each moment at which the old code may have stopped: %s', async (name) => {
  const { events } = readHistory(name);
  for (const [index, { eventType }] of events.entries()) {
    if (eventType !== 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED') continue;
    // With what the completed task decided: those events follow it directly.
    const next = events.findIndex((event, at) => at > index && event.eventType === 'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED');
    const sofar = { events: next < 0 ? events : events.slice(0, next) };
    await Worker.runReplayHistory({ workflowBundle }, sofar, 'delivery/1/ep_replay');
  }
});

test('a workflow that would do something else is found out', async () => {
  const history = readHistory('delivered-at-third-attempt');
  const timer = history.events.find(({ eventType }) => eventType === 'EVENT_TYPE_TIMER_STARTED')!;
  // As if the present code waited in another place than the one that made this history.
  const events = history.events.filter((event) => event !== timer);

  const replay = Worker.runReplayHistory({ workflowBundle }, { events }, 'delivery/1/ep_replay');

  await expect(replay).rejects.toThrow(DeterminismViolationError);
});

test('the histories hold ids only: no data, no URL, no secret', () => {
  for (const name of NAMES) {
    const text = payloadsOf(readHistory(name)).join('\n');
    expect(text).toContain('"endpointId"');
    for (const forbidden of ['http', 'whsec_', '127.0.0.1', 'answer 200']) {
      // The summary shows the destination's host to an operator; it is not among the payloads of the input.
      expect(text.replaceAll(/"[^"]* → [^"]*"/g, '')).not.toContain(forbidden);
    }
  }
});

/** Every payload of the history, decoded. */
function payloadsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'data' in value && typeof value.data === 'string' ? [Buffer.from(value.data, 'base64').toString()] : [];
  return [...own, ...Object.values(value).flatMap(payloadsOf)];
}

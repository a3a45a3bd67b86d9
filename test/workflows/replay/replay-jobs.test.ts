import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundle } from '@temporalio/worker';
import { quietTemporal } from '../../support/quiet-temporal';

// A bulk replay may run for hours: a new version of its workflow goes on with what an old one began.

const FOLDER = join(__dirname, 'histories', 'jobs');
const NAMES = readdirSync(FOLDER).map((name) => name.slice(0, -'.json'.length));

interface RecordedHistory {
  events: { eventType: string }[];
}

let workflowBundle: WorkflowBundle & { code: string };

beforeAll(async () => {
  quietTemporal();
  const workflowsPath = join(__dirname, '..', '..', '..', 'workflows', 'index.ts');
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}, 60_000);

function textOf(name: string): string {
  return readFileSync(join(FOLDER, `${name}.json`), 'utf8');
}

/** Runs the present code over what the old code did. */
function replay(history: RecordedHistory): Promise<void> {
  return Worker.runReplayHistory({ workflowBundle }, history, 'replay/rpl_replay');
}

test.each(NAMES)(
  'a bulk replay continues from each moment at which the old code may have stopped: %s',
  async (name) => {
    const { events } = JSON.parse(textOf(name)) as RecordedHistory;
    await expect(replay({ events })).resolves.toBeUndefined();
    for (const [index, { eventType }] of events.entries()) {
      if (eventType !== 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED') continue;
      const next = events.findIndex(
        (event, at) => at > index && event.eventType === 'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED',
      );
      await expect(replay({ events: next < 0 ? events : events.slice(0, next) })).resolves.toBeUndefined();
    }
  },
);

test('a workflow that would do something else is found out', async () => {
  const text = textOf('completed');
  const other = text.replaceAll('"activityType":{"name":"replayPage"}', '"activityType":{"name":"somethingElse"}');
  expect(other).not.toBe(text);

  await expect(replay(JSON.parse(other) as RecordedHistory)).rejects.toThrow(DeterminismViolationError);
});

test('the histories hold the id of the job and numbers: no filter, no data, no URL', () => {
  for (const name of NAMES) {
    const payloads = [...textOf(name).matchAll(/"data":"([^"]*)"/g)].map(([, data]) =>
      Buffer.from(data!, 'base64').toString(),
    );
    expect(payloads.join('\n')).toContain('"jobId"');
    for (const forbidden of ['http', 'ep_', 'failed', 'whsec_', '"n":1.0']) {
      expect(payloads.join('\n')).not.toContain(forbidden);
    }
  }
});

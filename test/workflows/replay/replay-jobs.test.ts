import { DeterminismViolationError } from '@temporalio/workflow';
import { buildReplay, readHistories, stopsOf, type RecordedHistory, type Replay } from './recorded-histories';

// A bulk replay may run for hours: a new version of its workflow goes on with what an old one began.

const { names: NAMES, textOf, read } = readHistories('jobs');

let replay: Replay;

beforeAll(async () => {
  replay = await buildReplay('replay/rpl_replay');
}, 60_000);

test.each(NAMES)(
  'a bulk replay continues from each moment at which the old code may have stopped: %s',
  async (name) => {
    await expect(replay(read(name))).resolves.toBeUndefined();
    for (const stop of stopsOf(read(name))) await expect(replay(stop)).resolves.toBeUndefined();
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

import { DeterminismViolationError } from '@temporalio/workflow';
import { buildReplay, readHistories, stopsOf, type RecordedHistory, type Replay } from './recorded-histories';

// To tell a million deliveries takes a while: a new version of the workflow goes on with what an old one began.

const { names: NAMES, textOf, read } = readHistories('signals');

let replay: Replay;

beforeAll(async () => {
  replay = await buildReplay('signal/ep_replay/wake/1');
}, 60_000);

test('there are histories of both signals', () => {
  expect(NAMES).toEqual(expect.arrayContaining(['woken', 'cancelled']));
});

test.each(NAMES)('a job continues from each moment at which the old code may have stopped: %s', async (name) => {
  await expect(replay(read(name))).resolves.toBeUndefined();
  for (const stop of stopsOf(read(name))) await expect(replay(stop)).resolves.toBeUndefined();
});

test('a workflow that would do something else is found out', async () => {
  const text = textOf('woken');
  const other = text.replaceAll('"activityType":{"name":"signalPage"}', '"activityType":{"name":"somethingElse"}');
  expect(other).not.toBe(text);

  await expect(replay(JSON.parse(other) as RecordedHistory)).rejects.toThrow(DeterminismViolationError);
});

test('the histories hold ids and numbers: no data, no URL, no secret', () => {
  for (const name of NAMES) {
    const payloads = [...textOf(name).matchAll(/"data":"([^"]*)"/g)].map(([, data]) =>
      Buffer.from(data!, 'base64').toString(),
    );
    expect(payloads.join('\n')).toContain('"endpointId"');
    for (const forbidden of ['http', 'whsec_', '"n":1.0']) expect(payloads.join('\n')).not.toContain(forbidden);
  }
});

import { EventEmitter } from 'node:events';
import type { PassThrough } from 'node:stream';
import { createLiveStreams } from '../../src/dashboard-api/live-streams';
import type { HttpContext } from '../../src/http/request-state';

/** The parts of a request that a stream reads. */
function buildRequest(sessionId: string) {
  const ctx = {
    res: new EventEmitter(),
    set: () => undefined,
    body: undefined as PassThrough | undefined,
  };
  const chunks: string[] = [];
  return {
    ctx: ctx as unknown as HttpContext,
    of: { sessionId, accountId: 'acc_1' },
    text: (): string => {
      for (let chunk = readFrom(ctx.body); chunk !== null; chunk = readFrom(ctx.body)) chunks.push(chunk.toString());
      return chunks.join('');
    },
  };
}

function readFrom(body: PassThrough | undefined): Buffer | null {
  return body?.read() as Buffer | null;
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick'] }));

afterEach(() => jest.useRealTimers());

it('a stream opened during the look-up of others stays open (regression)', async () => {
  const late = buildRequest('session_late');
  const early = buildRequest('session_early');
  const over = buildRequest('session_over');
  const asked: (readonly string[])[] = [];
  const streams = createLiveStreams({
    live: { subscribe: () => () => undefined, close: async () => undefined },
    sessions: {
      async alive(ids) {
        if (asked.push(ids) === 1) streams.open(late.ctx, late.of);
        return new Set(ids.filter((id) => id !== 'session_over'));
      },
    },
    isAccepting: () => true,
  });
  streams.open(early.ctx, early.of);
  streams.open(over.ctx, over.of);

  // It checks once a second.
  await jest.advanceTimersByTimeAsync(2_000);
  streams.close();

  expect(asked[1]).toContain('session_late');

  expect(over.text()).toContain('event: end');
  expect(early.text()).not.toContain('event: end');
  expect(late.text()).not.toContain('event: end');
});

it('says how often it sends a line, and sends it as an event, which a page can hear', async () => {
  const request = buildRequest('session_1');
  const ready: (() => void)[] = [];
  const streams = createLiveStreams({
    live: {
      subscribe: ({ onReady }) => {
        ready.push(onReady);
        return () => undefined;
      },
      close: async () => undefined,
    },
    sessions: { alive: async (ids) => new Set(ids) },
    isAccepting: () => true,
  });
  streams.open(request.ctx, request.of);
  for (const tell of ready) tell();

  await jest.advanceTimersByTimeAsync(40_000);
  streams.close();

  expect(request.text()).toContain('event: ready\ndata: {"heartbeat_seconds":15}\n\n');
  expect(request.text().match(/^event: alive\ndata: \{\}\n\n/gm)).toHaveLength(2);
});

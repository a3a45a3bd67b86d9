import { z } from 'zod';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import type { ListenStreams } from './listen-streams';
import { listenQuery, type ListenedEventView } from './schema';
import { EVENTS_TAG } from '../events/tag';

export interface ListenRouteDeps {
  readonly listenStreams: ListenStreams;
}

const EXAMPLE_EVENT: ListenedEventView = {
  id: 1_001,
  type: 'order.created',
  timestamp: 1_795_262_400,
  body: '{"id":1001,"type":"order.created","data":{"order_id":"ord_42"},"timestamp":1795262400}',
};

/** Adds the stream of accepted events. */
export function addListenRoutes(api: Api, deps: ListenRouteDeps): void {
  addOperation(
    api,
    {
      id: 'listen',
      keyOnly: true,
      method: 'get',
      path: '/api/v1/webhooks/listen',
      scopes: ['events:read'],
      tag: EVENTS_TAG,
      summary: 'Follow events as they are accepted',
      description:
        'Server-sent events (`text/event-stream`), one for each event of the account that is accepted from now on and ' +
        'matches `events`, in the order of acceptance: `event: event`, whose data is JSON with `id`, `type`, `timestamp` ' +
        'and `body`, the body of its delivery. Listening does not replace or change deliveries. `event: position` ' +
        'has the position of the stream; send the last `id` as `Last-Event-ID` to resume after it, on any process. ' +
        '`event: gap` means that the database does not reach back that far, `event: end` that the key was revoked or expired. ' +
        'An account can have 5 streams on each API process, and each counts as one call. `everpost listen` uses this operation.',
      query: listenQuery,
      answers: {
        200: {
          description: 'The stream.',
          mediaType: 'text/event-stream',
          schema: z.string(),
          example: `id: 8269A1\nevent: event\ndata: ${JSON.stringify(EXAMPLE_EVENT)}\n\n`,
        },
      },
    },
    ({ query: { events }, caller, ctx }) => {
      const stream = deps.listenStreams.open({
        accountId: caller.accountId,
        keyId: ctx.state.credential.id,
        patterns: events,
        lastEventId: ctx.get('Last-Event-ID') || undefined,
      });
      ctx.res.once('close', () => stream.destroy());
      ctx.type = 'text/event-stream';
      // The connection ends with the stream: an idle one would delay a process that stops.
      ctx.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', Connection: 'close' });
      return stream;
    },
  );
}

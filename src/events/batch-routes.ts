import type { z } from 'zod';
import { AppError } from '../domain/errors';
import { refuseIdempotencyHeader } from '../http/idempotency-key';
import { waitingCallOf } from '../http/waiting-call';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { createListReader, type ListEntry } from '../http/read-list';
import type { HttpContext } from '../http/request-state';
import type { BatchItem } from './draft-events';
import { ingestBatch, type IngestDeps, type IngestResult } from './ingest-event';
import type { IngestAdmission } from './ingest-admission';
import { inputOf } from './new-event';
import { presentBatch } from './present';
import { batchBody, batchView, ingestBody, MAX_BATCH_EVENTS } from './schema';
import { EVENTS_TAG } from './tag';

const PATH = '/api/v1/webhooks/events/batch';
const MAX_BATCH_BYTES = 2 * 1_024 * 1_024;

export interface EventBatchRouteDeps extends IngestDeps {
  readonly admission: IngestAdmission;
  /** Called with each event that got an answer. */
  readonly onIngest: (result: IngestResult, accountId: string) => void;
}

/** Whether the request is for the operation below, which counts as one call for each event. */
export function isEventBatch({ method, path }: HttpContext): boolean {
  return method === 'POST' && path.replace(/\/$/, '') === PATH;
}

const EVENT = { type: 'order.created', data: { order_id: 'ord_42' }, idempotency_key: 'ord_42_created' };
const RESULTS = [
  { status: 202, id: 1_001, type: 'order.created', timestamp: 1_795_262_400, duplicate: false, deliveries: 1 },
  { status: 200, id: 988, type: 'order.paid', timestamp: 1_795_262_100, duplicate: true, deliveries: 1 },
];

const readEvents = createListReader({
  member: 'events',
  entry: ingestBody,
  maxEntries: MAX_BATCH_EVENTS,
  maxBytes: MAX_BATCH_BYTES,
});

/** Adds the ingest of batches. */
export function addEventBatchRoute(api: Api, deps: EventBatchRouteDeps): void {
  addOperation(
    api,
    {
      id: 'ingestBatch',
      keyOnly: true,
      method: 'post',
      path: PATH,
      scopes: ['events:write'],
      tag: EVENTS_TAG,
      summary: 'Ingest many events',
      description:
        `Accepts 1 to ${MAX_BATCH_EVENTS} events in one request of at most 2 MiB, each like \`ingestEvent\`: ` +
        '`results` has the answer to each event in its place, and a refused event does not affect the others. Events are ' +
        'accepted in order. A batch counts as one call for each event, all of them or none: a batch that exceeds the rest ' +
        'of the limits gets 429, and none of it is ingested. Events that exceed the budget of ' +
        'deliveries have 429 as their result. After a 503, send the batch again: events ' +
        'with an `idempotency_key` are never accepted twice.',
      body: batchBody,
      readsBody: true,
      bodyExample: { events: [EVENT, { ...EVENT, type: 'order.paid', idempotency_key: 'ord_42' }] },
      answers: {
        207: {
          description: 'The result of each event, in order.',
          schema: batchView,
          example: { results: RESULTS },
        },
      },
      errors: {
        400: `The body is malformed, or \`events\` does not hold 1 to ${MAX_BATCH_EVENTS} entries.`,
        413: 'The body is larger than 2 MiB.',
        422: 'The batch has more events than your tier allows in a minute.',
      },
      errorExamples: {
        413: { error: 'The body is larger than 2097152 bytes (2 MiB).', code: 'payload_too_large' },
        422: {
          error: '60 events count as 60 calls, and your tier allows 10 a minute: send at most 10 in a batch.',
          code: 'batch_exceeds_limit',
        },
      },
    },
    async ({ ctx }) => {
      refuseIdempotencyHeader(ctx, 'is for one event: give each event of a batch an "idempotency_key"');
      const waitedMs = ctx.state.ageMs();
      const list = await readEvents(ctx);
      await ctx.state.countCalls(list.length);
      const items = list.check().map((entry) => itemOf(deps, entry));
      const bytes = items.reduce((sum, item) => sum + ('data' in item ? item.data.byteLength : 0), 0);
      const results = await deps.admission.run(waitingCallOf(ctx, { bytes, waitedMs }), (signal) =>
        ingestBatch(deps, ctx.state.caller, items, signal),
      );
      for (const result of results) {
        if ('id' in result) deps.onIngest(result, ctx.state.caller.accountId);
        else if (!(result.error instanceof AppError)) ctx.state.log.error({ err: result.error }, 'an event failed');
      }
      ctx.state.identify({ event_ids: results.flatMap((it) => ('id' in it ? it.id : [])).join(',') });
      return presentBatch(results);
    },
  );
}

function itemOf(deps: EventBatchRouteDeps, entry: ListEntry<z.output<typeof ingestBody>>): BatchItem {
  if ('error' in entry) return entry;
  try {
    return inputOf(deps, entry);
  } catch (error) {
    return { error };
  }
}

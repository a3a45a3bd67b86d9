import { z } from 'zod';
import { endpointIdFilter, eventTypesFilter } from '../deliveries/schema';
import {
  DEFAULT_REPLAY_RATE,
  MAX_REPLAY_RATE,
  MAX_RUNS,
  REPLAYABLE_STATES,
  REPLAY_STATES,
} from '../domain/replay-contract';
import { listQuery, nextCursor, timeParam } from '../http/list-query';

const RATE_RULE = `must be a number from 1 to ${MAX_REPLAY_RATE}`;

const rate = z.number().min(1, RATE_RULE).max(MAX_REPLAY_RATE, RATE_RULE);

const ratePerSecond = rate
  .default(DEFAULT_REPLAY_RATE)
  .meta({ description: `Deliveries that are started in a second; ${DEFAULT_REPLAY_RATE} by default.` });

const replayableState = z
  .enum(REPLAYABLE_STATES, `must be one of ${REPLAYABLE_STATES.join(', ')}`)
  .meta({ id: 'ReplayableState' });

/** Refuses a range that holds no time. */
function endsAfter<Name extends string>(start: Name, end: Name) {
  return (range: { readonly [name in Name]?: Date | undefined }, context: z.RefinementCtx): void => {
    const [from, to] = [range[start], range[end]];
    if (!from || !to || from < to) return;
    context.addIssue({ code: 'custom', path: [end], message: `must be later than "${start}"` });
  };
}

/** Which deliveries to replay. */
export const replaySelection = z
  .strictObject({
    state: replayableState.default('failed').meta({
      description:
        'The state of the deliveries; `failed` by default. Those that are `retrying` get their next attempt now.',
    }),
    endpoint_id: endpointIdFilter.optional(),
    type: eventTypesFilter.optional(),
    after: timeParam.optional().meta({ description: 'Events accepted at or after this time; to the second.' }),
    before: timeParam.optional().meta({ description: 'Events accepted before this time; to the second.' }),
    completed_after: timeParam.optional().meta({ description: 'Deliveries that finished at or after this time.' }),
    completed_before: timeParam.optional().meta({ description: 'Deliveries that finished before this time.' }),
  })
  .superRefine(endsAfter('after', 'before'))
  .superRefine(endsAfter('completed_after', 'completed_before'))
  .superRefine(({ state, ...selection }, context) => {
    if (state !== 'retrying') return;
    const times = (['completed_after', 'completed_before'] as const).filter((name) => selection[name]);
    for (const name of times) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'must be left out: what is retrying has not finished',
      });
    }
  })
  .meta({ id: 'ReplaySelection', description: 'Selects deliveries; `{}` for all failed ones of the account.' });

/** Body of POST /api/v1/webhooks/replays. */
export const createReplayBody = z
  .strictObject({
    filter: replaySelection,
    rate_per_second: ratePerSecond,
  })
  .meta({ id: 'NewReplay' });

/** Body of PATCH /api/v1/webhooks/replays/{job_id}: absent fields stay unchanged. */
export const changeReplayBody = z
  .strictObject({
    rate_per_second: rate.optional().meta({ description: 'Deliveries that are started in a second.' }),
    paused: z.boolean().optional().meta({ description: 'With `true` it starts nothing more until `false` is sent.' }),
  })
  .meta({ id: 'ReplayChange' });

/** Body of POST /api/v1/webhooks/endpoints/{endpoint_id}/recover. */
export const recoverBody = z
  .strictObject({
    since: timeParam.meta({ description: 'Deliveries that became `failed` at or after this time.' }),
    until: timeParam.optional().meta({ description: 'Deliveries that became `failed` before this time.' }),
    rate_per_second: ratePerSecond,
  })
  .superRefine(endsAfter('since', 'until'))
  .meta({ id: 'Recovery' });

export const replayListQuery = listQuery(20);

const time = z.iso.datetime();

/** A bulk replay. */
export const replayView = z
  .object({
    job_id: z.string().regex(/^rpl_[0-9a-z]{26}$/),
    state: z.enum(REPLAY_STATES).meta({ id: 'ReplayState' }),
    paused: z.boolean().meta({ description: 'Whether it is `running` and starts nothing more until it is resumed.' }),
    filter: z
      .object({
        state: replayableState,
        endpoint_id: z.string().nullable(),
        type: z.string().nullable(),
        after: time.nullable(),
        before: time.nullable(),
        completed_after: time.nullable(),
        completed_before: time.nullable(),
      })
      .meta({ id: 'ReplayFilter' }),
    rate_per_second: z.number(),
    matched: z.int().nullable().meta({ description: 'The number of its deliveries; null until they are counted.' }),
    replayed: z.int().meta({
      description: 'Deliveries that it has started to send again; those that were `retrying` had their next attempt.',
    }),
    skipped: z.int().meta({
      description:
        'Not sent: they were replayed in another way meanwhile, their endpoint was removed, or they have had ' +
        `${MAX_RUNS} runs. Of those that were \`retrying\`: they ended meanwhile, or are held.`,
    }),
    at_run_limit: z.int().meta({ description: `Of \`skipped\`: those that have had ${MAX_RUNS} runs.` }),
    changed_at: time.nullable().meta({
      description: 'When its rate was last changed, or it was paused or resumed; null if it never was.',
    }),
    created_at: time.meta({ description: 'Deliveries that finished later are not replayed.' }),
    finished_at: time.nullable(),
  })
  .meta({ id: 'Replay' });

/** The answer of GET /api/v1/webhooks/replays. */
export const replayListView = z
  .object({ replays: z.array(replayView), next_cursor: nextCursor })
  .meta({ id: 'ReplayPage' });

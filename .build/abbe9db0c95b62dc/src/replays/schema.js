"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.replayListView = exports.replayView = exports.replayListQuery = exports.recoverBody = exports.createReplayBody = exports.replayParams = void 0;
const zod_1 = require("zod");
const schema_1 = require("../deliveries/schema");
const replay_contract_1 = require("../domain/replay-contract");
const list_query_1 = require("../http/list-query");
const operation_1 = require("../http/operation");
/** The id in a path. */
exports.replayParams = zod_1.z.object({
    job_id: zod_1.z
        .string()
        .regex(/^rpl_[0-9a-z]{26}$/, 'must be an id as the API shows it')
        .meta({ description: 'The `job_id` of the replay.', example: `rpl_${operation_1.EXAMPLE_ID}` }),
});
const RATE_RULE = `must be a number from 1 to ${replay_contract_1.MAX_REPLAY_RATE}`;
const ratePerSecond = zod_1.z
    .number()
    .min(1, RATE_RULE)
    .max(replay_contract_1.MAX_REPLAY_RATE, RATE_RULE)
    .default(replay_contract_1.DEFAULT_REPLAY_RATE)
    .meta({ description: `Deliveries that are begun in a second; ${replay_contract_1.DEFAULT_REPLAY_RATE} when left out.` });
const replayableState = zod_1.z
    .enum(replay_contract_1.REPLAYABLE_STATES, `must be one of ${replay_contract_1.REPLAYABLE_STATES.join(', ')}`)
    .meta({ id: 'ReplayableState' });
/** Body of POST /api/v1/webhooks/replays. */
exports.createReplayBody = zod_1.z
    .strictObject({
    filter: zod_1.z
        .strictObject({
        state: replayableState
            .default('failed')
            .meta({ description: 'What became of the deliveries; `failed` when left out.' }),
        endpoint_id: schema_1.endpointIdFilter.optional(),
        type: schema_1.eventTypeFilter.optional(),
        after: list_query_1.timeParam.optional().meta({ description: 'Events accepted then or later; to the second.' }),
        before: list_query_1.timeParam.optional().meta({ description: 'Events accepted before; to the second.' }),
        completed_after: list_query_1.timeParam.optional().meta({ description: 'Deliveries that finished then or later.' }),
        completed_before: list_query_1.timeParam.optional().meta({ description: 'Deliveries that finished before.' }),
    })
        .meta({ id: 'ReplaySelection', description: 'Which deliveries; `{}` for all failed ones of the account.' }),
    rate_per_second: ratePerSecond,
})
    .meta({ id: 'NewReplay' });
/** Body of POST /api/v1/webhooks/endpoints/{endpoint_id}/recover. */
exports.recoverBody = zod_1.z
    .strictObject({
    since: list_query_1.timeParam.meta({ description: 'Deliveries that failed for good then or later.' }),
    until: list_query_1.timeParam.optional().meta({ description: 'Deliveries that failed for good before.' }),
    rate_per_second: ratePerSecond,
})
    .meta({ id: 'Recovery' });
exports.replayListQuery = (0, list_query_1.listQuery)(20);
const time = zod_1.z.iso.datetime();
/** A bulk replay. */
exports.replayView = zod_1.z
    .object({
    job_id: zod_1.z.string().regex(/^rpl_[0-9a-z]{26}$/),
    state: zod_1.z.enum(replay_contract_1.REPLAY_STATES).meta({ id: 'ReplayState' }),
    filter: zod_1.z
        .object({
        state: replayableState,
        endpoint_id: zod_1.z.string().nullable(),
        type: zod_1.z.string().nullable(),
        after: time.nullable(),
        before: time.nullable(),
        completed_after: time.nullable(),
        completed_before: time.nullable(),
    })
        .meta({ id: 'ReplayFilter' }),
    rate_per_second: zod_1.z.number(),
    matched: zod_1.z.int().nullable().meta({ description: 'Deliveries that it is about; null until they are counted.' }),
    replayed: zod_1.z.int().meta({ description: 'Deliveries that it sent again, or has begun to.' }),
    skipped: zod_1.z.int().meta({ description: 'Not sent: replayed otherwise meanwhile, or their endpoint was removed.' }),
    created_at: time.meta({ description: 'What finished later is not replayed.' }),
    finished_at: time.nullable(),
})
    .meta({ id: 'Replay' });
/** The answer of GET /api/v1/webhooks/replays. */
exports.replayListView = zod_1.z
    .object({ replays: zod_1.z.array(exports.replayView), next_cursor: list_query_1.nextCursor })
    .meta({ id: 'ReplayPage' });
//# sourceMappingURL=schema.js.map
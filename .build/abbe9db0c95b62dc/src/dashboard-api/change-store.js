"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.CHANGE_KINDS = void 0;
exports.createChangeStore = createChangeStore;
const mongo_changes_1 = require("../platform/mongo-changes");
/** What the pages show and somebody changed. */
exports.CHANGE_KINDS = ['events', 'endpoints', 'replays', 'keys'];
const COLLECTIONS = {
    events: 'events',
    endpoints: 'endpoints',
    replays: 'replays',
    keys: 'api_keys',
};
const KIND_OF = new Map(exports.CHANGE_KINDS.map((kind) => [COLLECTIONS[kind], kind]));
const CHANGED_FIELDS = {
    $map: { input: { $objectToArray: { $ifNull: ['$updateDescription.updatedFields', {}] } }, in: '$$this.k' },
};
/** That a workflow was started changes nothing that is shown, and comes with every delivery. */
const IS_START_MARK = {
    $and: [
        { $eq: ['$operationType', 'update'] },
        {
            $allElementsTrue: {
                $map: { input: CHANGED_FIELDS, in: { $regexMatch: { input: '$$this', regex: '\\.started$' } } },
            },
        },
    ],
};
/** Ids leave the database, data does not. */
const PIPELINE = [
    {
        $match: {
            'ns.coll': { $in: [...KIND_OF.keys()] },
            operationType: { $in: ['insert', 'update', 'replace', 'delete'] },
        },
    },
    { $match: { $expr: { $not: [IS_START_MARK] } } },
    { $project: { operationType: 1, ns: 1, documentKey: 1, 'fullDocument.account_id': 1 } },
];
const WAIT_MS = 500;
/** Watches what the dashboards show. */
function createChangeStore(db) {
    return {
        /** Watches until `close`. One watch serves any number of browsers. */
        watch: (follower) => (0, mongo_changes_1.followChanges)(() => db.watch(PIPELINE, { maxAwaitTimeMS: WAIT_MS }), {
            ...follower,
            onChange: (change, position) => follower.onChange(changeOf(change), position),
        }),
        /** Whose these things are; what is gone is left out. */
        async accountsOf(kind, ids) {
            const collection = db.collection(COLLECTIONS[kind]);
            const found = await collection.find({ _id: { $in: [...ids] } }, { projection: { account_id: 1 } }).toArray();
            return new Map(found.map(({ _id, account_id }) => [_id, account_id]));
        },
    };
}
function changeOf({ ns, documentKey, fullDocument }) {
    const accountId = fullDocument?.account_id;
    return { kind: KIND_OF.get(ns.coll), id: documentKey._id, ...(accountId !== undefined && { accountId }) };
}
//# sourceMappingURL=change-store.js.map
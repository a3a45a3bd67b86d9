"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ATTEMPTS_COLLECTION = void 0;
exports.attemptId = attemptId;
exports.groupedAnswers = groupedAnswers;
const delivery_contract_1 = require("../domain/delivery-contract");
const mongo_1 = require("../platform/mongo");
const write_groups_1 = require("../platform/write-groups");
exports.ATTEMPTS_COLLECTION = 'attempts';
/** Id of an attempt in the database. */
function attemptId(attempt) {
    return `${(0, delivery_contract_1.deliveryId)(attempt)}/${attempt.run}/${attempt.number}`;
}
/** Writes answers, together. The first one stays: a repeated record finds it there and changes nothing. */
function groupedAnswers(attempts) {
    return (0, write_groups_1.createWriteGroup)(async (items) => {
        const updates = items.map(({ input, answer }) => ({
            updateOne: {
                filter: { _id: attemptId(input) },
                update: [
                    {
                        $set: {
                            event_id: input.eventId,
                            endpoint_id: { $literal: input.endpointId },
                            run: input.run,
                            number: input.number,
                            trigger: { $ifNull: ['$trigger', input.trigger] },
                            answer: { $ifNull: ['$answer', { $literal: answer }] },
                        },
                    },
                ],
                upsert: true,
            },
        }));
        await attempts.bulkWrite(updates, { ordered: false, writeConcern: mongo_1.DURABLE });
        return items.map(() => ({ value: undefined }));
    }, { maxItems: 200, maxInFlight: 2 });
}
//# sourceMappingURL=attempt-store.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createSetupLinkStore = createSetupLinkStore;
const audit_store_1 = require("../accounts/audit-store");
const mongo_1 = require("../platform/mongo");
/** How long a link can be used. */
const LIFETIME_MS = 24 * 3_600_000;
/** Reads and writes set-up links. */
function createSetupLinkStore(db) {
    const links = db.collection('setup_links');
    return {
        async ensureIndexes() {
            await links.createIndexes([{ key: { ends_at: 1 }, expireAfterSeconds: 0 }]);
        },
        /** Replaces every earlier link to the account. */
        async replace(hash, accountId, by) {
            await (0, audit_store_1.changeAudited)(db, async (session) => {
                await links.deleteMany({ account_id: accountId }, { session });
                return links.updateOne({ _id: hash }, [{ $set: { account_id: accountId, ends_at: { $add: ['$$NOW', LIFETIME_MS] } } }], { upsert: true, session });
            }, () => ({
                ...{ ...by, accountId, action: 'user.setup_link_created', object: accountId },
                // Its holder becomes one.
                changes: [{ field: 'operator', to: 'yes' }],
            }));
        },
        /** Takes a link that has not expired. Of several callers only one gets it. */
        take: (hash) => links.findOneAndDelete({ _id: hash, $expr: { $gt: ['$ends_at', '$$NOW'] } }, { writeConcern: mongo_1.DURABLE }),
        /** Gives back a link that was taken and not used. */
        async giveBack(link) {
            await links.insertOne(link, { writeConcern: mongo_1.DURABLE });
        },
    };
}
//# sourceMappingURL=setup-link-store.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createInboxSecrets = createInboxSecrets;
/**
 * Looks up the secrets of an event's destinations, as a receiver would have them: the present one and, during a
 * rotation, the next. They stay in this process and are never shown.
 */
function createInboxSecrets({ events, endpoints, secretBox }) {
    return async (eventId) => {
        const event = await events.find(eventId);
        if (!event)
            return [];
        const ids = event.destinations.map(({ endpoint_id: id }) => id);
        return (await endpoints.findMany(ids)).flatMap(({ _id, secret, next_secret: next }) => [secret, next].filter((sealed) => sealed !== undefined).map((sealed) => secretBox.open(sealed, _id)));
    };
}
//# sourceMappingURL=inbox-secrets.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createGate = createGate;
const endpoint_store_1 = require("../record/endpoint-store");
const start_delivery_1 = require("./start-delivery");
/** As often as the sweeper looks at gates. */
const TURNS_WITHIN_MS = 1_000;
/**
 * Lets held deliveries go, each endpoint's in the order in which their events were accepted.
 *
 * One look at a time for each endpoint; one that is asked for meanwhile follows it.
 *
 * What a process lets go it sends or starts itself. Should it die before that, the delivery is due, and the sweeper's.
 */
function createGate(deps) {
    const looking = new Map();
    /** Endpoints that are looked at, and asked about meanwhile. */
    const askedAgain = new Set();
    /** Endpoints that may hold more than there was room for. */
    const full = new Set();
    let isClosed = false;
    const lookAt = async (endpointId) => {
        try {
            do {
                askedAgain.delete(endpointId);
                const isMore = await letGo(deps, endpointId);
                if (isMore)
                    full.add(endpointId);
                else
                    full.delete(endpointId);
            } while (askedAgain.has(endpointId) && !isClosed);
        }
        catch (error) {
            deps.logger.info({ err: error, endpoint_id: endpointId }, 'held deliveries were not let go; the next look does');
        }
        finally {
            looking.delete(endpointId);
            askedAgain.delete(endpointId);
        }
    };
    const look = (endpointId) => {
        if (isClosed)
            return;
        if (looking.has(endpointId))
            askedAgain.add(endpointId);
        else
            looking.set(endpointId, lookAt(endpointId));
    };
    return {
        /** Lets go of what an endpoint holds and can take now. Does not wait, and never throws. */
        look,
        /** Tells that an attempt to the endpoint has ended in this process: there is room for the next one. */
        attemptEnded(endpointId) {
            if (full.has(endpointId))
                look(endpointId);
        },
        /** Resolves when nothing is being let go. */
        async close() {
            isClosed = true;
            await Promise.all(looking.values());
        },
    };
}
/** @returns whether the endpoint may hold more than it has room for now */
async function letGo(deps, endpointId) {
    const endpoint = await deps.endpoints.find(endpointId);
    if (!endpoint) {
        // Accepted by a process that did not know yet that the endpoint was removed.
        const [held] = await deps.deliveries.nextHeld(endpointId, 1);
        if (held)
            await deps.deliveries.cancelAllOf({ accountId: held.accountId, endpointId });
        return false;
    }
    if ((0, endpoint_store_1.closedBy)(endpoint))
        return false;
    const room = await roomOf(deps, endpoint);
    if (room <= 0)
        return true;
    const held = await deps.deliveries.nextHeld(endpointId, room);
    const next = endpoint.options?.ordered ? await withoutLine(deps, endpoint, held) : held;
    const claims = deps.dispatcher.isExpress();
    const gone = await deps.deliveries.letGo(next, { owner: deps.owner, claims });
    for (const { event, destination } of gone) {
        const known = { delivery: { event, destination }, endpoint };
        deps.dispatcher.dispatch({ ...(0, start_delivery_1.startOf)(known.delivery, destination.next_attempt_at), known });
    }
    return held.length === room;
}
/** How many deliveries may be let go. What waits in this process already takes room too. */
async function roomOf(deps, { _id, account_id: accountId, options }) {
    const perSecond = options?.max_per_second;
    const turns = perSecond === undefined ? Infinity : await turnsSoon(deps, _id, perSecond);
    const { load, dispatcher } = deps;
    return Math.min(load.roomFor(_id), turns) - dispatcher.waitingFor({ accountId, endpointId: _id });
}
/** How many turns in the endpoint's rate nobody has and come within a second, which is how long an attempt may wait for one. */
async function turnsSoon({ rates }, endpointId, perSecond) {
    const leftMs = TURNS_WITHIN_MS - (await rates.untilNextTurn(endpointId));
    return leftMs < 0 ? 0 : 1 + Math.floor((leftMs * perSecond) / 1_000);
}
/** Leaves out those whose turn has not come in an ordered endpoint's line. */
async function withoutLine({ order }, endpoint, held) {
    const isFree = await order.isFree(endpoint._id);
    const first = isFree ? await order.firstInLine({ accountId: endpoint.account_id, endpointId: endpoint._id }) : null;
    return held.filter((ref) => !(0, endpoint_store_1.standsInLine)(endpoint, ref) || ref.eventId === first?.eventId);
}
//# sourceMappingURL=gate.js.map
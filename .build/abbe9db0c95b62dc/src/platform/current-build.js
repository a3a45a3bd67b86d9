"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.WORKER_DEPLOYMENT = void 0;
exports.routesByBuild = routesByBuild;
exports.keepBuildCurrent = keepBuildCurrent;
const sleep_1 = require("./sleep");
const temporal_1 = require("./temporal");
/** The name of the worker deployment in Temporal; each build of the workers is a version of it. */
exports.WORKER_DEPLOYMENT = 'everpost';
const LEASE = 'current-build';
/** How long the last worker of the current build is gone before another build that has workers becomes current. */
const LEASE_MS = 15_000;
/** Longer than `holdLease` answers from memory, a third of the lease: each look sees whether another build took it. */
const LOOK_EVERY_MS = 6_000;
/** Temporal knows a build a moment after the first poll of its workers. */
const FIRST_LOOK_AGAIN_MS = 100;
const FAILURE = 'this build of the worker could not be made the current one yet';
/**
 * Whether Temporal routes tasks by build: a server before 1.27 does not, and `system.enableDeploymentVersions` can switch
 * it off. A worker that names its build to such a server gets no tasks.
 *
 * @throws Error when Temporal does not answer
 */
async function routesByBuild(temporal) {
    try {
        await describe(temporal);
        return true;
    }
    catch (error) {
        const status = (0, temporal_1.grpcStatusOf)(error);
        // Nobody has polled yet.
        if (status === 'NOT_FOUND')
            return true;
        if (status === 'UNIMPLEMENTED' || status === 'PERMISSION_DENIED')
            return false;
        throw error;
    }
}
/**
 * Makes this build the one that gets Temporal's tasks. Of several builds it is the one whose worker started last, so an
 * operator who starts workers of another build, newer or older, need not do more. Where that build has no workers any
 * more, or Temporal was wiped, a build that has workers becomes current.
 *
 * Does nothing where the worker deployment has a manager: that person chooses the build.
 *
 * @param buildId its worker polls
 * @returns once the signal aborts
 */
async function keepBuildCurrent({ temporal, leases, logger }, buildId, signal) {
    const log = logger.child({ build_id: buildId });
    let hasTaken = false;
    const look = async () => {
        if (!hasTaken)
            await leases.seizeLease(LEASE, buildId, LEASE_MS);
        hasTaken = true;
        const isOurs = await leases.holdLease(LEASE, buildId, LEASE_MS);
        if (!isOurs)
            return 'a worker of another build started later: that build gets the deliveries';
        return (await makeCurrent(temporal, buildId))
            ? 'this build of the worker gets the deliveries'
            : 'the worker deployment has a manager, who chooses the build that gets the deliveries';
    };
    let said;
    for (let pauseMs = FIRST_LOOK_AGAIN_MS; !signal.aborted; await (0, sleep_1.sleep)(pauseMs, signal)) {
        try {
            const line = await look();
            if (said !== line)
                log.info(line);
            said = line;
            pauseMs = LOOK_EVERY_MS;
        }
        catch (error) {
            if ((0, temporal_1.grpcStatusOf)(error) !== 'NOT_FOUND' && said !== FAILURE) {
                log.warn({ err: error }, FAILURE);
                said = FAILURE;
            }
            pauseMs = Math.min(pauseMs * 2, LOOK_EVERY_MS);
        }
    }
}
/** @returns false where a manager chooses. @throws Error of gRPC, `NOT_FOUND` until Temporal has seen a poll of the build */
async function makeCurrent(temporal, buildId) {
    const { workerDeploymentInfo: info, conflictToken } = await describe(temporal);
    if (info?.managerIdentity)
        return false;
    if (info?.routingConfig?.currentDeploymentVersion?.buildId === buildId)
        return true;
    await temporal.call(({ workflowService, options: { identity, namespace } }) => workflowService.setWorkerDeploymentCurrentVersion({
        namespace,
        deploymentName: exports.WORKER_DEPLOYMENT,
        buildId,
        // Another process that chose in between wins; the next look decides again.
        conflictToken,
        identity,
        // A queue of the build before that this one does not poll is one that it does not use.
        ignoreMissingTaskQueues: true,
    }));
    return true;
}
function describe(temporal) {
    return temporal.call(({ workflowService, options: { namespace } }) => workflowService.describeWorkerDeployment({ namespace, deploymentName: exports.WORKER_DEPLOYMENT }));
}
//# sourceMappingURL=current-build.js.map
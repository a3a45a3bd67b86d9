import type { Logger } from './logger';
import type { Leases } from './mongo-lease';
import { sleep } from './sleep';
import { grpcStatusOf, type TemporalLink } from './temporal';

/** The name of the worker deployment in Temporal; each build of the workers is a version of it. */
export const WORKER_DEPLOYMENT = 'everpost';

/** What the choice of the current build needs. */
interface CurrentBuildDeps {
  readonly temporal: TemporalLink;
  readonly leases: Leases;
  readonly logger: Logger;
}

const LEASE = 'current-build';
/** How long the last worker of the current build must be gone before another build with workers becomes current. */
const LEASE_MS = 15_000;
/**
 * Longer than `holdLease` answers from memory (a third of the lease), so each check notices if another build took the
 * lease.
 */
const CHECK_EVERY_MS = 6_000;
/** Temporal knows a build a moment after the first poll of its workers. */
const FIRST_CHECK_AGAIN_MS = 100;
const FAILURE = 'this build of the worker could not be made the current one yet';

/**
 * Whether Temporal routes tasks by build: a server before 1.27 does not, and `system.enableDeploymentVersions` can
 * switch it off. A worker that names its build to such a server gets no tasks.
 *
 * @throws Error when Temporal does not answer
 */
export async function routesByBuild(temporal: TemporalLink): Promise<boolean> {
  try {
    await describe(temporal);
    return true;
  } catch (error) {
    const status = grpcStatusOf(error);
    // No worker has polled yet.
    if (status === 'NOT_FOUND') return true;
    if (status === 'UNIMPLEMENTED' || status === 'PERMISSION_DENIED') return false;
    throw error;
  }
}

/**
 * Makes this build the one that gets Temporal's tasks. Of several builds it is the one whose worker started last, so an
 * operator only has to start workers of another build, newer or older. If that build has no workers any more, or
 * Temporal was wiped, a build that has workers becomes current.
 *
 * Does nothing if the worker deployment has a manager, who then chooses the build.
 *
 * @param buildId the build that its worker polls for
 * @returns once the signal aborts
 */
export async function keepBuildCurrent(
  { temporal, leases, logger }: CurrentBuildDeps,
  buildId: string,
  signal: AbortSignal,
): Promise<void> {
  const log = logger.child({ build_id: buildId });
  let hasTaken = false;
  const look = async (): Promise<string> => {
    if (!hasTaken) await leases.seizeLease(LEASE, buildId, LEASE_MS);
    hasTaken = true;
    const isOurs = await leases.holdLease(LEASE, buildId, LEASE_MS);
    if (!isOurs) return 'a worker of another build started later: that build gets the deliveries';
    return (await makeCurrent(temporal, buildId))
      ? 'this build of the worker gets the deliveries'
      : 'the worker deployment has a manager, who chooses the build that gets the deliveries';
  };
  let said: string | undefined;
  for (let pauseMs = FIRST_CHECK_AGAIN_MS; !signal.aborted; await sleep(pauseMs, signal)) {
    try {
      const line = await look();
      if (said !== line) log.info(line);
      said = line;
      pauseMs = CHECK_EVERY_MS;
    } catch (error) {
      if (grpcStatusOf(error) !== 'NOT_FOUND' && said !== FAILURE) {
        log.warn({ err: error }, FAILURE);
        said = FAILURE;
      }
      pauseMs = Math.min(pauseMs * 2, CHECK_EVERY_MS);
    }
  }
}

/** @returns false if a manager chooses. @throws gRPC error, `NOT_FOUND` until Temporal has seen a poll of the build */
async function makeCurrent(temporal: TemporalLink, buildId: string): Promise<boolean> {
  const { workerDeploymentInfo: info, conflictToken } = await describe(temporal);
  if (info?.managerIdentity) return false;
  if (info?.routingConfig?.currentDeploymentVersion?.buildId === buildId) return true;
  await temporal.call(({ workflowService, options: { identity, namespace } }) =>
    workflowService.setWorkerDeploymentCurrentVersion({
      namespace,
      deploymentName: WORKER_DEPLOYMENT,
      buildId,
      // If another process chose in between, it wins; the next check decides again.
      conflictToken,
      identity,
      // A queue of the previous build that this build does not poll is one that it does not use.
      ignoreMissingTaskQueues: true,
    }),
  );
  return true;
}

function describe(temporal: TemporalLink) {
  return temporal.call(({ workflowService, options: { namespace } }) =>
    workflowService.describeWorkerDeployment({ namespace, deploymentName: WORKER_DEPLOYMENT }),
  );
}

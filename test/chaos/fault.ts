import type { FirstAttemptWay } from '../../src/domain/delivery-contract';
import type { Counts } from './profile';
import type { SmallTestbed, Testbed } from './testbed';

/** The result of a fault. */
export interface Outcome {
  /** For the report, in the order they were taken. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** One sentence for each part of the criterion that did not hold; none is a pass. */
  readonly failures: readonly string[];
  /** Why this machine can't show the row; undefined when it was shown. */
  readonly skipped?: string;
}

/** In which ways of first attempts (`FIRST_ATTEMPT`) each profile plays a row. */
export type Ways = Readonly<Record<Counts['profile'], readonly FirstAttemptWay[]>>;

/** `full` plays the row in both ways, one after the other, and `quick` in this one. */
export const quickIn = (way: FirstAttemptWay): Ways => ({ quick: [way], full: ['workflow', 'express'] });

/** Both profiles play the row in these. */
export const alwaysIn = (...ways: readonly FirstAttemptWay[]): Ways => ({ quick: ways, full: ways });

/** What every row of the crash matrix has. */
interface Described {
  /** The name of its file. */
  readonly name: string;
  /** What is broken. */
  readonly title: string;
  /** What has to hold, declared before it runs. */
  readonly criterion: string;
  readonly ways: Ways;
  /** Profile `quick` plays the row only by its name: what proves its promise for each change. `full` plays it each night. */
  readonly nightly?: string;
  /**
   * Whether the row measures time: then `full` gives it a separate cluster, so that leftovers of other rows don't
   * affect it.
   */
  readonly measuresTime?: boolean;
}

/** A row on the cluster. */
interface ClusterFault extends Described {
  readonly testbed?: 'cluster';
  run(testbed: Testbed, counts: Counts): Promise<Outcome>;
}

/** A row on the small profile (docs/small.md). */
interface SmallFault extends Described {
  readonly testbed: 'small';
  run(testbed: SmallTestbed, counts: Counts): Promise<Outcome>;
}

/** One row of the crash matrix. */
export type Fault = ClusterFault | SmallFault;

/** Collects a row's figures and what did not hold. */
export interface Checks {
  figure(name: string, value: number | string): void;
  /** Notes the sentence when the condition does not hold. */
  hold(condition: boolean, otherwise: string): void;
  outcome(): Outcome;
}

export function createChecks(): Checks {
  const figures: Record<string, number | string> = {};
  const failures: string[] = [];
  return {
    figure: (name, value) => void (figures[name] = value),
    hold(condition, otherwise) {
      if (!condition) failures.push(otherwise);
    },
    outcome: () => ({ figures, failures }),
  };
}

/** The outcome of a row that this machine can't show. */
export function skipped(reason: string): Outcome {
  return { figures: {}, failures: [], skipped: reason };
}

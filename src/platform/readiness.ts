/** One thing that a process needs for its work. */
export interface ReadinessCheck {
  /** Its field in the answer of `/readyz`, such as `mongodb`. */
  readonly name: string;
  /** `up`, or else the word that `/readyz` shows for what is wrong, such as `down`. Never rejects. */
  readonly state: () => Promise<string>;
  /** False if the process is of use without it: then it is `degraded`, and still ready. */
  readonly isNeeded: boolean;
}

/** Whether a process can do its work, and the state of each of its checks. */
export interface Readiness {
  readonly isReady: boolean;
  readonly status: 'ok' | 'degraded' | 'starting' | 'unavailable';
  readonly states: Readonly<Record<string, string>>;
}

/** Asks all checks at once. */
export async function askReadiness(
  checks: readonly ReadinessCheck[],
  process: {
    /** False as soon as it is told to stop. */
    readonly isAccepting: () => boolean;
    /** True once it has everything that it needs besides its servers. */
    readonly hasStarted: () => boolean;
  },
): Promise<Readiness> {
  const asked = await Promise.all(checks.map(async (check) => ({ ...check, now: await check.state() })));
  const isUp = ({ now }: { now: string }): boolean => now === 'up';
  const isAvailable = process.isAccepting() && asked.every((check) => isUp(check) || !check.isNeeded);
  const isReady = isAvailable && process.hasStarted();
  const ready = asked.every(isUp) ? 'ok' : 'degraded';
  return {
    isReady,
    status: isReady ? ready : isAvailable ? 'starting' : 'unavailable',
    states: Object.fromEntries(asked.map(({ name, now }) => [name, now])),
  };
}

const WORST_FIRST = ['unavailable', 'starting', 'degraded', 'ok'] as const;

/** The readiness of several processes that are one to the outside: that of the one that is worst off. */
export function worstOf(all: readonly Readiness[]): Readiness {
  const sorted = all.toSorted((one, other) => WORST_FIRST.indexOf(one.status) - WORST_FIRST.indexOf(other.status));
  return sorted[0]!;
}

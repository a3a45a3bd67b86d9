/** The signing secret; routes are compiled apart, so it is where all of them find it. */
export const kept = globalThis as { secret?: string };

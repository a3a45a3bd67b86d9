/** This many runs are started before the job is checked again. */
export const CHUNK = 50;
export const STARTS_IN_FLIGHT = 16;

/** @throws Error when hardly any of the starts succeeded: Temporal is away */
export function requireMost(started: number, of: number): void {
  const failed = of - started;
  if (failed > 1 && failed > of / 2) throw new Error(`${failed} of ${of} deliveries could not be started`);
}

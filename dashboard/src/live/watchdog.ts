/** Until the server has said how often it sends a line; a little more than that. */
const FIRST_SILENCE_MS = 20_000;
/** A line may be late: the server looks once a second which streams need one, and the way takes its time. */
const LATE_MS = 5_000;

/** Notices that a connection, which is open, has carried nothing for longer than the server leaves between two lines. */
export function createWatchdog(onSilence: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silenceMs: number | undefined = FIRST_SILENCE_MS;
  let heardAt = Date.now();
  const arm = (): void => {
    clearTimeout(timer);
    if (silenceMs !== undefined) timer = setTimeout(onSilence, silenceMs);
  };
  return {
    /** A connection is being made. */
    begin(): void {
      silenceMs = FIRST_SILENCE_MS;
      arm();
    },
    heard(): void {
      heardAt = Date.now();
      arm();
    },
    /** @param seconds between two lines; undefined for a server of a version whose lines can't be heard */
    expectEvery(seconds: number | undefined): void {
      silenceMs = seconds === undefined ? undefined : seconds * 1_000 + LATE_MS;
    },
    /** When the last line came, in Unix milliseconds. */
    heardAt: (): number => heardAt,
    stop: (): void => clearTimeout(timer),
  };
}

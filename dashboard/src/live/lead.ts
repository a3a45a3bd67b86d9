/**
 * Lets one tab of a browser do something for all of them. When that tab is closed, the browser gives the lead to one of
 * the others.
 *
 * @param name of the lead, in this browser
 * @param start called when this tab gets the lead; returns what ends it
 */
export function createLead(name: string, start: () => () => void) {
  const over = new AbortController();
  let giveUp: (() => void) | undefined;
  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      const end = start();
      giveUp = () => {
        giveUp = undefined;
        end();
        resolve();
      };
    });
  const wait = (): void => {
    navigator.locks.request(name, { signal: over.signal }, hold).catch(() => {
      // Another tab took the lead away; or this one waits no more.
      giveUp?.();
      if (!over.signal.aborted) wait();
    });
  };
  wait();
  return {
    isOurs: (): boolean => giveUp !== undefined,
    /** Takes the lead from the tab that has it. If another tab takes it later, this one still waits for its turn. */
    take(): void {
      navigator.locks.request(name, { steal: true }, hold).catch(() => giveUp?.());
    },
    end(): void {
      over.abort();
      giveUp?.();
    },
  };
}

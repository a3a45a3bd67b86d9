/** What a tab of the portal keeps over a reload. A browser may refuse storage to a framed page; then it keeps nothing. */
export const tabStorage = {
  get(key: string): string | null {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },
  /** @param value null removes it */
  set(key: string, value: string | null): void {
    try {
      if (value === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, value);
    } catch {
      // The page works without it until it is reloaded.
    }
  },
};

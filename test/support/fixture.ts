/**
 * Gives the tests of a file something that is built before them and closed after them.
 *
 * @param scope `file`: one for all tests of the file (or of the enclosing `describe`); `test`: a new one for each
 * @returns a stand-in for what was built; use it inside tests and hooks
 */
export function useFixture<T extends object>(
  scope: 'file' | 'test',
  build: () => Promise<T>,
  close: (built: T) => Promise<unknown>,
): T {
  let built: T | undefined;
  const [before, after] = scope === 'file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    built = await build();
  });
  after(async () => {
    const last = built;
    built = undefined;
    if (last) await close(last);
  });
  return new Proxy({} as T, {
    get(_, name) {
      if (!built) throw new Error(`used outside a test: .${String(name)}`);
      return Reflect.get(built, name) as unknown;
    },
  });
}

import type { PayloadBox } from '../src/payloads/payload-box';

/** For benchmarks and tests that write documents without a seal, and read only such: the stores' other argument. */
export const UNSEALED: PayloadBox = {
  seals: false,
  keyToSeal: () => Promise.resolve(null),
  keyToOpen: (accountId) => Promise.reject(new Error(`something of ${accountId} is sealed`)),
  findKey: () => Promise.resolve(null),
};

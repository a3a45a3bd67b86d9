/** The size of a measurement. */
export interface Profile {
  readonly warmUp: number;
  /** Events that are sent as fast as they are accepted, with this many at a time. */
  readonly burst: number;
  readonly concurrency: number;
  /** Seconds of the steady loads. */
  readonly steadySeconds: number;
  /** Destinations of every event. */
  readonly fanOut: number;
  /** Share of the events whose first attempt gets 500. */
  readonly failing: number;
  /** Bytes of an event's data. */
  readonly dataBytes: number;
  /** Requests in each round that measures the cost of limits. */
  readonly limitRequests: number;
}

const STANDARD: Profile = {
  warmUp: 200,
  burst: 2_000,
  concurrency: 64,
  steadySeconds: 15,
  fanOut: 1,
  failing: 0,
  dataBytes: 1_024,
  limitRequests: 5_000,
};

export const PROFILES: Readonly<Record<string, Profile>> = {
  standard: STANDARD,
  quick: { ...STANDARD, warmUp: 50, burst: 300, concurrency: 32, steadySeconds: 4, limitRequests: 500 },
  'fan-out-5': { ...STANDARD, warmUp: 50, burst: 400, fanOut: 5 },
  'fan-out-50': { ...STANDARD, warmUp: 10, burst: 40, fanOut: 50 },
  failing: { ...STANDARD, failing: 0.1 },
  large: { ...STANDARD, dataBytes: 65_536 },
};

/** Bounds the requests under way to one destination, so that a slow one can't hold every slot of the worker. */
export interface DestinationCap {
  /** Runs `work`, or answers undefined at once when the destination has as many requests as it may. */
  run<T>(endpointId: string, work: () => Promise<T>): Promise<T | undefined>;
}

/** @param max requests under way to one endpoint from this process */
export function createDestinationCap(max: number): DestinationCap {
  const underWay = new Map<string, number>();
  return {
    async run(endpointId, work) {
      const before = underWay.get(endpointId) ?? 0;
      if (before >= max) return undefined;
      underWay.set(endpointId, before + 1);
      try {
        return await work();
      } finally {
        const left = underWay.get(endpointId)! - 1;
        if (left === 0) underWay.delete(endpointId);
        else underWay.set(endpointId, left);
      }
    },
  };
}

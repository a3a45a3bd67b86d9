import type { ClosedReason } from '../../../src/domain/delivery-contract';
import { isFinished } from '../../../src/domain/delivery-state';
import type { Delivery, Endpoint } from '../api/answers';
import { useEndpoints } from '../endpoints/endpoint-queries';
import { closedFor } from './closed-for';

interface Destination<D> {
  /** Undefined while it is not known, or removed. */
  readonly endpoint: Endpoint | undefined;
  /** Why the endpoint is closed: a retry would be refused. */
  readonly closed: ClosedReason | undefined;
  /** The delivery as it stands: a retry that is due while its endpoint is closed becomes held. */
  readonly shown: D;
}

/** A delivery with what its endpoint means for it. */
export function useDestination<D extends Pick<Delivery, 'endpoint_id' | 'state' | 'held_for' | 'next_attempt_at'>>(
  delivery: D,
): Destination<D> {
  const endpoint = useEndpoints().get(delivery.endpoint_id);
  const closed = closedFor(delivery, endpoint);
  const isHeld = !isFinished(delivery.state) && closed !== undefined;
  return { endpoint, closed, shown: isHeld ? { ...delivery, held_for: closed, next_attempt_at: null } : delivery };
}

import { deliveryWorkflowId } from '../../../src/domain/delivery-contract';
import type { Delivery } from '../api/answers';

/** Address of a delivery's execution in Temporal's Web UI. */
export function temporalLink(
  ui: { readonly url: string; readonly namespace: string },
  { event_id: eventId, endpoint_id: endpointId, run }: Delivery,
): string {
  const id = encodeURIComponent(deliveryWorkflowId({ eventId, endpointId, run }));
  return `${ui.url.replace(/\/$/, '')}/namespaces/${encodeURIComponent(ui.namespace)}/workflows/${id}`;
}

import type { z } from 'zod';
import type { endpointView } from './schema';
import type { Endpoint } from './store';

/** An endpoint as the API shows it; its secrets stay inside. */
export function presentEndpoint(endpoint: Endpoint): z.output<typeof endpointView> {
  return {
    id: endpoint._id,
    url: endpoint.url,
    events: [...endpoint.events],
    description: endpoint.description,
    status: endpoint.status,
    created_at: endpoint.created_at.toISOString(),
    updated_at: endpoint.updated_at.toISOString(),
  };
}

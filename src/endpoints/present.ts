import type { z } from 'zod';
import type { SecretBox } from '../platform/secret-box';
import { showOptions } from './endpoint-options';
import type { EndpointStats } from '../record/endpoint-stats-store';
import { activationTime, type RevealedSecrets } from './rotate-secret';
import type { endpointView, secretView, StatsWindow, statsView } from './schema';
import type { Endpoint, Verification } from '../record/endpoint-store';

/** An endpoint in the API, without its signing secrets, passwords and tokens. */
export function presentEndpoint(secretBox: SecretBox, endpoint: Endpoint): z.output<typeof endpointView> {
  return {
    id: endpoint._id,
    url: endpoint.url,
    events: [...endpoint.events],
    description: endpoint.description,
    metadata: JSON.parse(endpoint.metadata ?? '{}') as Record<string, string>,
    status: endpoint.status,
    ...(endpoint.disabled_reason && { disabled_reason: endpoint.disabled_reason }),
    ...(endpoint.verification && { verification: presentVerification(endpoint.verification) }),
    ...(endpoint.next_secret_at && { next_secret_activates_at: activationTime(endpoint.next_secret_at).toISOString() }),
    options: showOptions(secretBox, endpoint._id, endpoint.options),
    created_at: endpoint.created_at.toISOString(),
    updated_at: endpoint.updated_at.toISOString(),
  };
}

function presentVerification({ host, state, asked_at: askedAt, error }: Verification) {
  return { host, state, asked_at: askedAt?.toISOString() ?? null, error };
}

/** The signing secrets, for their owner. */
export function presentSecrets({ secret, nextSecret, activatesAt }: RevealedSecrets): z.output<typeof secretView> {
  return { secret, next_secret: nextSecret, next_secret_activates_at: activatesAt?.toISOString() ?? null };
}

/** The results of an endpoint's deliveries. */
export function presentStats(id: string, window: StatsWindow, stats: EndpointStats): z.output<typeof statsView> {
  const { delivered, failed } = stats.deliveries;
  const { total, succeeded } = stats.attempts;
  return {
    endpoint_id: id,
    window,
    since: stats.since.toISOString(),
    until: stats.until.toISOString(),
    complete: stats.complete,
    deliveries: { ...stats.deliveries },
    success_rate: delivered + failed === 0 ? null : Math.round((delivered / (delivered + failed)) * 10_000) / 10_000,
    attempts: { total, succeeded, failed: total - succeeded },
    latency_ms: stats.latencyMs && { ...stats.latencyMs },
  };
}

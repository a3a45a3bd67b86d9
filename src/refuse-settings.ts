import type { z } from 'zod';
import type { Tier } from './domain/tiers';
import { ConfigError, type AddressPolicy, type PortRange } from './parse-settings';
import { writtenSetting, type FilledEnvironment } from './secret-files';

/**
 * Everything that is wrong, with a line for each setting; empty if nothing is.
 *
 * @param written the environment, before secrets were read from files
 */
export function describeProblems(
  written: NodeJS.ProcessEnv,
  ofFiles: FilledEnvironment['problems'],
  issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[],
): string {
  const lines = [
    ...ofFiles.map(({ setting, message }) => `  ${setting}: ${message}`),
    ...issues.map(({ path, message }) => `  ${writtenSetting(written, path.join('.'))}: ${message}`),
  ];
  return lines.length === 0 ? '' : `Settings that can't be used (see .env.example):\n${lines.join('\n')}`;
}

/** The settings that open private networks. */
interface OpenNetworks {
  readonly DELIVERY_ALLOW_HTTP: boolean;
  readonly DELIVERY_ALLOW_CIDRS: readonly string[];
  readonly EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION: boolean;
}

/** @throws ConfigError if production would open private networks without saying that this is meant */
export function refuseOpenNetworks(value: OpenNetworks, production: boolean): void {
  const widened = value.DELIVERY_ALLOW_HTTP || value.DELIVERY_ALLOW_CIDRS.length > 0;
  if (!production || !widened || value.EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION) return;
  throw new ConfigError(
    'DELIVERY_ALLOW_HTTP and DELIVERY_ALLOW_CIDRS open private networks to every key holder and are refused when ' +
      'NODE_ENV=production. Set EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION=1 if that is what you want.',
  );
}

/** The settings that name a tier. */
interface TierSettings {
  readonly TIERS: ReadonlyMap<string, Tier>;
  readonly ACCOUNTS_DEFAULT_TIER: string;
}

/** Refuses a default tier that is not among the tiers. */
export function requireKnownTier(
  { TIERS: tiers, ACCOUNTS_DEFAULT_TIER: id }: TierSettings,
  context: z.RefinementCtx,
): void {
  if (tiers.has(id)) return;
  const message = `There is no tier "${id}". Tiers: ${[...tiers.keys()].join(', ')}`;
  context.addIssue({ code: 'custom', path: ['ACCOUNTS_DEFAULT_TIER'], message });
}

/** The policy that the settings ask for. */
export function policyOf(value: {
  readonly DELIVERY_ALLOW_HTTP: boolean;
  readonly DELIVERY_DENY_CIDRS: readonly string[];
  readonly DELIVERY_ALLOW_CIDRS: readonly string[];
  readonly DELIVERY_ALLOW_PORTS: readonly PortRange[];
}): AddressPolicy {
  return {
    allowHttp: value.DELIVERY_ALLOW_HTTP,
    denyCidrs: value.DELIVERY_DENY_CIDRS,
    allowCidrs: value.DELIVERY_ALLOW_CIDRS,
    allowPorts: value.DELIVERY_ALLOW_PORTS,
    allowTargets: [],
  };
}

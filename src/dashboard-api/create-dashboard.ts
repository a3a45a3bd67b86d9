import type { DeletionStore } from '../account-lifecycle/deletion-store';
import type { AccountStore } from '../accounts/account-store';
import type { SuspensionStore } from '../account-lifecycle/suspension-store';
import type { AuditStore } from '../accounts/audit-store';
import type { Tier } from '../domain/tiers';
import type { HttpContext } from '../http/request-state';
import type { KeyStore } from '../keys/key-store';
import type { Limiter } from '../limits/limiter';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { createPasswordHasher } from '../platform/password-hash';
import { createIsGuessable } from '../platform/password-strength';
import type { SecretBox } from '../platform/secret-box';
import type { SessionStore } from '../users/session-store';
import type { UsageStore } from '../keys/usage-store';
import type { SetupLinkStore } from '../users/setup-link-store';
import type { UserStore } from '../users/user-store';
import type { TryCounter } from '../users/try-count-store';
import type { ChangeStore } from './change-store';
import { createLiveChanges } from './live-changes';
import { createLiveStreams } from './live-streams';
import type { OverviewStore } from './overview-store';
import type { DashboardDeps } from './dashboard-api';
import { createSessionLimit } from './session-limit';

/** What the dashboard is given. */
export interface DashboardParts {
  readonly stores: {
    readonly accounts: AccountStore;
    readonly suspensions: SuspensionStore;
    readonly deletions: DeletionStore;
    readonly audit: AuditStore;
    readonly keys: KeyStore;
    readonly users: UserStore;
    readonly sessions: SessionStore;
    readonly tries: TryCounter;
    readonly setupLinks: SetupLinkStore;
    readonly usage: UsageStore;
  };
  readonly secretBox: SecretBox;
  readonly overview: OverviewStore;
  readonly changes: ChangeStore;
  readonly limiter: Limiter;
  readonly tiers: ReadonlyMap<string, Tier>;
  readonly signUpIsOpen: boolean;
  readonly temporalUi: { readonly url: string; readonly namespace: string } | undefined;
  readonly clientAddress: (ctx: HttpContext) => string;
  readonly isAccepting: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes the dashboard's own parts. Nothing runs until a browser comes. */
export function createDashboard({ stores, ...parts }: DashboardParts): DashboardDeps & { close(): Promise<void> } {
  const live = createLiveChanges(parts);
  const streams = createLiveStreams({ live, sessions: stores.sessions, isAccepting: parts.isAccepting });
  return {
    ...stores,
    ...parts,
    streams,
    hasher: createPasswordHasher(),
    isGuessable: createIsGuessable(),
    limit: createSessionLimit(parts.clock),
    async close() {
      streams.close();
      await live.close();
    },
  };
}

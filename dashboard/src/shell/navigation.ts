import {
  Calculator,
  ChartColumn,
  KeyRound,
  LayoutDashboard,
  RotateCcw,
  ScrollText,
  Send,
  Users,
  Webhook,
  Zap,
  type LucideIcon,
} from 'lucide-react';

/** A link to a page of this application. */
export interface PageLink {
  readonly to: string;
  readonly label: string;
  readonly Icon: LucideIcon;
  /** True marks it as current on this very page only, and not on those below it. */
  readonly exact?: boolean;
}

/** The links in the header. The API's documentation is a page of its own, outside this application. */
export const MAIN_LINKS: readonly PageLink[] = [
  { to: '/dashboard', label: 'Dashboard', Icon: LayoutDashboard },
  { to: '/estimator', label: 'Estimator', Icon: Calculator },
];

/** The links at the side of every page under /dashboard, in the order in which they are needed. */
export const DASHBOARD_LINKS: readonly PageLink[] = [
  { to: '/dashboard', label: 'Overview', Icon: LayoutDashboard, exact: true },
  { to: '/dashboard/events', label: 'Events', Icon: Zap },
  { to: '/dashboard/deliveries', label: 'Deliveries', Icon: Send },
  { to: '/dashboard/endpoints', label: 'Endpoints', Icon: Webhook },
  { to: '/dashboard/replays', label: 'Replays', Icon: RotateCcw },
  { to: '/dashboard/keys', label: 'API keys', Icon: KeyRound },
  { to: '/dashboard/reports', label: 'Reports', Icon: ChartColumn },
  { to: '/dashboard/audit', label: 'Audit log', Icon: ScrollText },
];

/** What only operators of the installation see. */
export const OPERATOR_LINKS: readonly PageLink[] = [{ to: '/dashboard/accounts', label: 'Accounts', Icon: Users }];

import {
  Activity,
  BookOpen,
  Calculator,
  ChartColumn,
  Eraser,
  LayoutDashboard,
  KeyRound,
  KeySquare,
  LockKeyhole,
  ScrollText,
  Search,
  TextSearch,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';

/** A link to a page of this application. */
export interface PageLink {
  readonly to: string;
  readonly label: string;
  readonly Icon: LucideIcon;
  /** True marks it as current on this very page only, and not on those below it. */
  readonly exact?: boolean;
  /** Other pages on which it is current, with those below them. */
  readonly alsoAt?: readonly string[];
}

/** The links in the header. The API's documentation is a page of its own, outside this application. */
export const MAIN_LINKS: readonly PageLink[] = [
  { to: '/dashboard', label: 'Dashboard', Icon: LayoutDashboard },
  { to: '/estimator', label: 'Estimator', Icon: Calculator },
];

/** The links at the side of every page under /dashboard: what is now, what was, where it goes, how the month is. */
export const DASHBOARD_LINKS: readonly PageLink[] = [
  { to: '/dashboard', label: 'Now', Icon: Activity, exact: true },
  { to: '/dashboard/find', label: 'Find', Icon: Search, alsoAt: ['/dashboard/events', '/dashboard/replays'] },
  { to: '/dashboard/endpoints', label: 'Endpoints', Icon: Webhook },
  { to: '/dashboard/event-types', label: 'Event types', Icon: BookOpen },
  { to: '/dashboard/reports', label: 'Reports', Icon: ChartColumn },
];

/** The settings of the account, and the user's own, below them. */
export const SETTINGS_LINKS: readonly PageLink[] = [
  { to: '/dashboard/settings/keys', label: 'API keys', Icon: KeyRound },
  { to: '/dashboard/settings/search-fields', label: 'Search fields', Icon: TextSearch },
  { to: '/dashboard/settings/erasures', label: 'Erasures', Icon: Eraser },
  { to: '/dashboard/settings/audit', label: 'Audit log', Icon: ScrollText },
  { to: '/dashboard/settings', label: 'Sign-in', Icon: LockKeyhole, exact: true },
];

/** What only operators of the installation see. */
export const OPERATOR_LINKS: readonly PageLink[] = [
  { to: '/dashboard/accounts', label: 'Accounts', Icon: Users },
  { to: '/dashboard/management-keys', label: 'Management keys', Icon: KeySquare },
];

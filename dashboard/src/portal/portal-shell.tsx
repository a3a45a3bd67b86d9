import { AppShell } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LiveState } from '../live/live-state';
import { viewerQuery } from '../session/session-queries';
import { ColorSchemeSwitch } from '../shell/color-scheme-switch';
import { useFocusOnNavigation } from '../shell/focus-on-navigation';
import { useKeptFocus } from '../shell/keep-focus';
import classes from '../shell/shell.module.css';
import { SkipLink } from '../shell/skip-link';
import { look } from './look';
import { usePortalSession } from './portal-session';
import { SessionEndedDialog, SessionEndedPage } from './session-ended';

const HEADER_HEIGHT = 60;

const LINKS = [
  { to: '/dashboard/endpoints', label: 'Endpoints' },
  { to: '/dashboard/find', label: 'Events' },
  { to: '/dashboard/replays', label: 'Replays' },
  { to: '/dashboard/event-types', label: 'Event types' },
] as const;

/** The frame around every page of the portal: the platform's name, and its few pages. */
export function PortalShell() {
  const router = useRouter();
  const client = useQueryClient();
  const { hasEnded } = usePortalSession();
  const { data: viewer } = useQuery({ ...viewerQuery, enabled: false });
  useFocusOnNavigation();
  useKeptFocus();
  // What could not be loaded without a session is loaded with the new one.
  useEffect(() => {
    if (!hasEnded) return undefined;
    return () => {
      void router.invalidate();
      void client.invalidateQueries();
    };
  }, [hasEnded, router, client]);
  return (
    <AppShell header={{ height: HEADER_HEIGHT }} padding={0}>
      <SkipLink />
      <AppShell.Header className={classes['header']}>
        <div className={classes['headerInner']}>
          <Link to="/dashboard/endpoints" className={classes['brand']}>
            {look.logo !== null && <img src={look.logo} alt="" height={28} />}
            {look.name}
          </Link>
          {viewer && <Links className="mantine-visible-from-sm" />}
          <div className={classes['headerEnd']}>
            {viewer && <LiveState />}
            <ColorSchemeSwitch />
          </div>
        </div>
      </AppShell.Header>
      <AppShell.Main id="main" tabIndex={-1}>
        {viewer && <Links className={`${classes['linksBelow']} mantine-hidden-from-sm`} />}
        {hasEnded && !viewer ? <SessionEndedPage /> : <Outlet />}
        <SessionEndedDialog opened={hasEnded && viewer !== undefined} />
      </AppShell.Main>
    </AppShell>
  );
}

function Links({ className }: { readonly className: string | undefined }) {
  return (
    <nav aria-label="Pages" className={`${classes['links']} ${className}`}>
      {LINKS.map(({ to, label }) => (
        <Link key={to} to={to} className={classes['link']} activeOptions={{ includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

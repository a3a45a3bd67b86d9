import { AppShell, Burger, Divider, ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { LiveState } from '../live/live-state';
import { AccountSearch } from '../search/search-button';
import { meQuery } from '../session/session-queries';
import { UserMenu } from '../session/user-menu';
import { ViewBanner } from '../session/view-banner';
import { Brand } from './brand';
import { ColorSchemeSwitch } from './color-scheme-switch';
import { useFocusOnNavigation } from './focus-on-navigation';
import { useKeptFocus } from './keep-focus';
import { DASHBOARD_LINKS, MAIN_LINKS, OPERATOR_LINKS, SETTINGS_LINKS, type PageLink } from './navigation';
import classes from './shell.module.css';
import { SkipLink } from './skip-link';

const HEADER_HEIGHT = 60;
const NAVBAR_WIDTH = 232;

/** The frame around every page: header, links at the side under /dashboard, and one menu for all on a phone. */
export function Shell() {
  const { pathname } = useLocation();
  // The menu belongs to the page that it was opened on: a navigation closes it.
  const [menuOf, setMenuOf] = useState<string>();
  const isMenuOpen = menuOf === pathname;
  // Known once a page of the account asked; pages before the sign-in don't ask.
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const hasSideLinks = me !== undefined && (pathname === '/dashboard' || pathname.startsWith('/dashboard/'));
  useFocusOnNavigation();
  useKeptFocus();

  return (
    <AppShell
      header={{ height: HEADER_HEIGHT }}
      navbar={{
        width: NAVBAR_WIDTH,
        breakpoint: 'sm',
        collapsed: { desktop: !hasSideLinks, mobile: !isMenuOpen },
      }}
      padding={0}
    >
      <SkipLink />
      <Header
        isMenuOpen={isMenuOpen}
        onToggleMenu={() => setMenuOf(isMenuOpen ? undefined : pathname)}
        hasLiveState={hasSideLinks}
      />
      {(isMenuOpen || hasSideLinks) && <SideMenu hasSideLinks={hasSideLinks} isOperator={me?.user.operator ?? false} />}
      <AppShell.Main id="main" tabIndex={-1}>
        <ViewBanner />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

interface HeaderProps {
  readonly isMenuOpen: boolean;
  readonly onToggleMenu: () => void;
  /** Whether the page follows what happens. */
  readonly hasLiveState: boolean;
}

function Header({ isMenuOpen, onToggleMenu, hasLiveState }: HeaderProps) {
  return (
    <AppShell.Header className={classes['header']}>
      <div className={classes['headerInner']}>
        <Burger
          opened={isMenuOpen}
          onClick={onToggleMenu}
          hiddenFrom="sm"
          size="sm"
          aria-label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isMenuOpen}
        />
        <Brand />
        <nav aria-label="Main" className={`${classes['links']} mantine-visible-from-sm`}>
          {MAIN_LINKS.map(({ to, label }) => (
            <Link key={to} to={to} className={classes['link']}>
              {label}
            </Link>
          ))}
          <a href="/guides" className={classes['link']}>
            Guides
          </a>
          <a href="/docs" className={classes['link']}>
            API docs
          </a>
        </nav>
        <div className={classes['headerEnd']}>
          {hasLiveState && <LiveState />}
          <AccountSearch />
          <ColorSchemeSwitch />
          <UserMenu />
        </div>
      </div>
    </AppShell.Header>
  );
}

function SideMenu({ hasSideLinks, isOperator }: { readonly hasSideLinks: boolean; readonly isOperator: boolean }) {
  return (
    <AppShell.Navbar className={classes['navbar']} p="md" aria-label="Pages">
      <AppShell.Section hiddenFrom="sm">
        {MAIN_LINKS.map((link) => (
          <SideLink key={link.to} {...link} />
        ))}
        <a href="/guides" className={classes['sideLink']}>
          <BookOpen size={18} aria-hidden />
          Guides
        </a>
        <a href="/docs" className={classes['sideLink']}>
          <BookOpen size={18} aria-hidden />
          API docs
        </a>
      </AppShell.Section>
      {hasSideLinks && (
        <AppShell.Section grow component={ScrollArea}>
          <Divider my="sm" hiddenFrom="sm" />
          <SideLinks links={DASHBOARD_LINKS} />
          <SideLinks title="Settings" links={SETTINGS_LINKS} />
          {isOperator && <SideLinks title="Installation" links={OPERATOR_LINKS} />}
        </AppShell.Section>
      )}
    </AppShell.Navbar>
  );
}

function SideLinks({ title, links }: { readonly title?: string; readonly links: readonly PageLink[] }) {
  return (
    <>
      {title !== undefined && (
        <Text size="xs" fw={600} c="dimmed" mt="md" mb={4} px="0.75rem">
          {title}
        </Text>
      )}
      {links.map((link) => (
        <SideLink key={link.to} {...link} />
      ))}
    </>
  );
}

function SideLink({ to, label, Icon, exact = false, alsoAt = [] }: PageLink) {
  const { pathname } = useLocation();
  const isAlsoHere = alsoAt.some((path) => pathname === path || pathname.startsWith(`${path}/`));
  return (
    <Link
      to={to}
      activeOptions={{ exact, includeSearch: false }}
      className={classes['sideLink']}
      {...(isAlsoHere && { 'data-status': 'active' })}
    >
      <Icon size={18} aria-hidden />
      {label}
    </Link>
  );
}

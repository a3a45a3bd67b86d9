import { Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { surface } from '../api/surface';
import { isBroken, useConnection } from '../live/connection';
import { useFocusOfLoadingPage } from './focus-on-navigation';
import classes from './shell.module.css';

interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons beside the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Instead of a page whose files or data are still loading: while the server is away, they wait for it. */
export function LoadingPage() {
  const isAway = isBroken(useConnection().state);
  return (
    <div className={classes['page']}>
      <Loader aria-label="Loading" />
      {isAway && <Text role="status">The server does not answer. This page loads once it is back.</Text>}
    </div>
  );
}

/** What every page is made of: its heading, which is the window's title too, and its content. */
export function Page({ title, description, actions, children }: PageProps) {
  const heading = useFocusOfLoadingPage();
  useEffect(() => {
    document.title = `${title} · ${surface().name}`;
  }, [title]);
  return (
    <div className={classes['page']}>
      <Group justify="space-between" align="flex-end" gap="md" mb="lg">
        <Stack gap={4} maw={780} style={{ overflowWrap: 'anywhere' }}>
          <Title order={1} tabIndex={-1} ref={heading}>
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" component="div">
              {description}
            </Text>
          )}
        </Stack>
        {actions}
      </Group>
      {children}
    </div>
  );
}

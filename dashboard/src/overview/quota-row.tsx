import { Box, Group, Stack, Text } from '@mantine/core';
import { PageButton, PageLink } from '../elements/links';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { withUnit } from '../elements/with-unit';
import classes from './rows.module.css';

interface QuotaRowProps {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string;
}

/** A monthly quota that is used up, or almost: how much of it is used, and when it resets. */
export function QuotaRow({ used, limit, resetsAt }: QuotaRowProps) {
  const isUsedUp = used >= limit;
  return (
    <Box component="li" className={classes['row']}>
      <Stack gap={4} className={classes['about']}>
        <Group gap="xs">
          {isUsedUp ? (
            <StateBadge state="used up" />
          ) : (
            <StateBadge state="almost used up" detail={withUnit(Math.floor((used * 100) / limit), '%')} />
          )}
          <PageLink to="/dashboard/reports" fw={600}>
            Monthly quota
          </PageLink>
        </Group>
        <Text size="sm">
          {used.toLocaleString('en')} of {limit.toLocaleString('en')} calls of all keys.{' '}
          {isUsedUp && 'Calls get 429 until it resets. '}
          Resets <Ago at={resetsAt} />
        </Text>
      </Stack>
      <PageButton to="/dashboard/reports" variant="default" size="xs">
        Open usage
      </PageButton>
    </Box>
  );
}

import { Group, Text } from '@mantine/core';
import { List, Tag, Webhook, Zap, type LucideIcon } from 'lucide-react';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import type { Result } from './results';
import classes from './search.module.css';

const ICONS: Readonly<Record<Result['kind'], LucideIcon>> = { event: Zap, list: List, endpoint: Webhook, type: Tag };

/** One thing that was found: its kind as a picture, its title and state, and more about it. */
export function ResultText({ result }: { readonly result: Result }) {
  const { kind, title, detail, state, at } = result;
  const Icon = ICONS[kind];
  return (
    <>
      <Icon size={18} aria-hidden />
      <div className={classes['optionText']}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text size="sm" fw={600} {...((kind === 'event' || kind === 'type') && { ff: 'monospace' })}>
            {title}
          </Text>
          {state !== undefined && <StateBadge state={state} />}
        </Group>
        <Text size="xs" className={classes['detail']}>
          {detail}
          {at !== undefined && (
            <>
              {' · '}
              <Ago at={at} />
            </>
          )}
        </Text>
      </div>
    </>
  );
}

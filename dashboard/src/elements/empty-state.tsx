import { Card, Stack, Text, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly Icon: LucideIcon;
  readonly title: string;
  /** What would be here, and what to do for it. */
  readonly children: ReactNode;
}

/** Instead of an empty list: what belongs here, and how to get the first one. */
export function EmptyState({ Icon, title, children }: EmptyStateProps) {
  return (
    <Card withBorder padding="xl">
      <Stack align="center" gap="sm" ta="center" py="lg">
        <Icon size={32} strokeWidth={1.5} aria-hidden color="var(--mantine-color-anchor)" />
        <Title order={2}>{title}</Title>
        <Text component="div" c="dimmed" w="100%" maw={620}>
          {children}
        </Text>
      </Stack>
    </Card>
  );
}

interface EmptyListProps extends Omit<EmptyStateProps, 'title'> {
  /** What it lists: one, and several. */
  readonly noun: readonly [one: string, several: string];
  /** Whether filters narrow the list. Then the text on how to get the first one is left out. */
  readonly isNarrowed: boolean;
  /** Whether the server may have more: then nothing is said, because nothing is known yet. */
  readonly hasOlder: boolean;
}

/** Instead of an empty list that has filters. */
export function EmptyList({ Icon, noun: [one, several], isNarrowed, hasOlder, children }: EmptyListProps) {
  if (hasOlder) return null;
  return isNarrowed ? (
    <EmptyState Icon={Icon} title={`No matching ${several}`}>
      No {one} matches these filters.
    </EmptyState>
  ) : (
    <EmptyState Icon={Icon} title={`No ${several} yet`}>
      {children}
    </EmptyState>
  );
}

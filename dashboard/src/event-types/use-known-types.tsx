import { Group, Text, type ComboboxLikeRenderOptionInput, type ComboboxGenericItem } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { breakable } from '../elements/breakable';
import { eventTypesQuery } from '../endpoints/endpoint-queries';
import { DeprecatedBadge } from './deprecated-badge';
import type { ListedType } from '../api/answers';
import { describedTypesQuery } from './event-type-queries';

/** A long list takes long to draw; typing narrows it. */
export const MAX_CHOICES = 200;

/** What a field for types suggests: those of the catalog, and those that events of the last 30 days had. */
export interface KnownTypes {
  readonly described: readonly ListedType[];
  readonly seen: readonly string[];
  /** False when events had more types than `seen` names. */
  readonly isComplete: boolean;
}

/** The known types; none until they are loaded, and none that can't be loaded. */
export function useKnownTypes(): KnownTypes {
  const { data: described = [] } = useQuery(describedTypesQuery);
  const { data: seen } = useQuery(eventTypesQuery);
  return { described, seen: (seen?.types ?? []).map(({ type }) => type), isComplete: seen?.complete ?? true };
}

/** Draws a choice of a field for types: with its description, and marked if it is deprecated. */
export function renderTypeChoice({ described }: KnownTypes) {
  const byName = new Map(described.map((type) => [type.name, type]));
  return function TypeChoice({ option }: ComboboxLikeRenderOptionInput<ComboboxGenericItem>): ReactNode {
    const type = byName.get(option.value);
    return (
      <div style={{ overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text span size="sm" ff="monospace">
            {breakable(option.value)}
          </Text>
          {type?.deprecated === true && <DeprecatedBadge />}
        </Group>
        {type !== undefined && type.description !== null && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {type.description}
          </Text>
        )}
      </div>
    );
  };
}

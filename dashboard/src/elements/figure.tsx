import { Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface FigureProps {
  readonly label: string;
  /** Undefined while it is not known. */
  readonly value: string | undefined;
  readonly note?: ReactNode;
}

/** One number with its name. */
export function Figure({ label, value, note }: FigureProps) {
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {value === undefined ? (
        <Skeleton height={28} width={72} />
      ) : (
        <Text fz="1.35rem" fw={650} lh={1.25} className="figures">
          {value}
        </Text>
      )}
      {note !== undefined && (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </Stack>
  );
}

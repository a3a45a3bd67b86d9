import { Badge } from '@mantine/core';
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleOff,
  CirclePause,
  CircleX,
  RotateCw,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';

interface Look {
  readonly color: string;
  readonly Icon: LucideIcon;
  readonly label: string;
}

/** Never by colour alone: every state has an icon and a word. */
const LOOKS: Readonly<Record<string, Look>> = {
  pending: { color: 'gray', Icon: CircleDashed, label: 'Pending' },
  retrying: { color: 'yellow', Icon: RotateCw, label: 'Retrying' },
  delivered: { color: 'tide', Icon: CircleCheck, label: 'Delivered' },
  failed: { color: 'red', Icon: CircleX, label: 'Failed' },
  cancelled: { color: 'gray', Icon: Ban, label: 'Cancelled' },
  partially_failed: { color: 'red', Icon: TriangleAlert, label: 'Partly failed' },
  no_destinations: { color: 'gray', Icon: CircleOff, label: 'No destination' },
  healthy: { color: 'tide', Icon: CircleCheck, label: 'Healthy' },
  degraded: { color: 'yellow', Icon: TriangleAlert, label: 'Degraded' },
  failing: { color: 'red', Icon: TriangleAlert, label: 'Failing' },
  waiting: { color: 'gray', Icon: CircleDashed, label: 'Waiting' },
  paused: { color: 'yellow', Icon: CirclePause, label: 'Paused' },
  disabled: { color: 'red', Icon: CircleX, label: 'Disabled' },
  running: { color: 'yellow', Icon: RotateCw, label: 'Running' },
  completed: { color: 'tide', Icon: CircleCheck, label: 'Completed' },
};

interface StateBadgeProps {
  readonly state: string;
  /** More about it, such as a time, after its word. */
  readonly detail?: string | undefined;
}

/** State of a delivery, an event, an endpoint or a replay. */
export function StateBadge({ state, detail }: StateBadgeProps) {
  const { color, Icon, label } = LOOKS[state] ?? { color: 'gray', Icon: CircleDashed, label: state };
  return (
    <Badge
      color={color}
      variant="light"
      leftSection={<Icon size={13} aria-hidden />}
      tt="none"
      fw={600}
      // A narrow column of a table would cut the word off.
      miw="max-content"
    >
      {detail === undefined ? label : `${label} ${detail}`}
    </Badge>
  );
}

/** The word for a state. */
export function stateLabel(state: string): string {
  return LOOKS[state]?.label ?? state;
}

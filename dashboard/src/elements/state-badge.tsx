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
import classes from './state-badge.module.css';

/** Groups of states that look alike; `state-badge.module.css` has their colours. */
type Tone = 'good' | 'bad' | 'mixed' | 'busy' | 'open' | 'held' | 'over';

interface Look {
  readonly tone: Tone;
  readonly Icon: LucideIcon;
  readonly label: string;
}

/** Never by colour alone: every state has an icon and a word. */
const LOOKS: Readonly<Record<string, Look>> = {
  pending: { tone: 'open', Icon: CircleDashed, label: 'Pending' },
  retrying: { tone: 'busy', Icon: RotateCw, label: 'Retrying' },
  delivered: { tone: 'good', Icon: CircleCheck, label: 'Delivered' },
  failed: { tone: 'bad', Icon: CircleX, label: 'Failed' },
  cancelled: { tone: 'over', Icon: Ban, label: 'Cancelled' },
  partially_failed: { tone: 'mixed', Icon: TriangleAlert, label: 'Partly failed' },
  no_destinations: { tone: 'over', Icon: CircleOff, label: 'No destination' },
  healthy: { tone: 'good', Icon: CircleCheck, label: 'Healthy' },
  degraded: { tone: 'mixed', Icon: TriangleAlert, label: 'Degraded' },
  failing: { tone: 'bad', Icon: TriangleAlert, label: 'Failing' },
  waiting: { tone: 'open', Icon: CircleDashed, label: 'Waiting' },
  paused: { tone: 'held', Icon: CirclePause, label: 'Paused' },
  disabled: { tone: 'over', Icon: CircleX, label: 'Disabled' },
  running: { tone: 'busy', Icon: RotateCw, label: 'Running' },
  completed: { tone: 'good', Icon: CircleCheck, label: 'Completed' },
  active: { tone: 'good', Icon: CircleCheck, label: 'Active' },
  expired: { tone: 'bad', Icon: CircleX, label: 'Expired' },
  revoked: { tone: 'over', Icon: Ban, label: 'Revoked' },
  'almost used up': { tone: 'mixed', Icon: TriangleAlert, label: 'Almost used up' },
  'used up': { tone: 'bad', Icon: CircleX, label: 'Used up' },
  suspended: { tone: 'bad', Icon: Ban, label: 'Suspended' },
  deleting: { tone: 'over', Icon: CircleX, label: 'Being deleted' },
};

interface StateBadgeProps {
  readonly state: string;
  /** More about it, such as a time, after its word. */
  readonly detail?: string | undefined;
}

/** State of a delivery, an event, an endpoint, a replay, a key, a quota or an account. */
export function StateBadge({ state, detail }: StateBadgeProps) {
  const { tone, Icon, label } = LOOKS[state] ?? { tone: 'over', Icon: CircleDashed, label: state };
  return (
    <Badge
      className={classes['badge']}
      data-tone={tone}
      data-state={state}
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

import type { ButtonProps } from '@mantine/core';
import { LifeBuoy } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EndpointHealth } from '../api/answers';
import { timeBefore } from '../elements/time-before';
import { ReplayButton } from './replay-button';
import { newDraft } from './replay-draft';

interface RecoverButtonProps extends ButtonProps {
  readonly endpointId: string;
  readonly health: EndpointHealth;
  /** When the first of its failures in a row was; null if its last attempt succeeded. */
  readonly failingSince: string | null;
  /** Read after the label: which endpoint, on a page of several. */
  readonly ofWhat?: ReactNode;
}

/** After an outage of a receiver: sends again the deliveries that failed since it began, as far as that is known. */
export function RecoverButton({ endpointId, health, failingSince, ofWhat, ...button }: RecoverButtonProps) {
  // Single failures have no beginning.
  const start = (): string | undefined => failingSince ?? (health.state === 'degraded' ? timeBefore(1) : undefined);
  return (
    <ReplayButton
      variant="default"
      leftSection={<LifeBuoy size={button.size === 'xs' ? 14 : 16} aria-hidden />}
      draft={() => newDraft(endpointId, start())}
      {...button}
    >
      Recover{ofWhat}
    </ReplayButton>
  );
}

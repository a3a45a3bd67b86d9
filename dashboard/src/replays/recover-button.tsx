import { LifeBuoy } from 'lucide-react';
import type { EndpointHealth } from '../api/answers';
import { ReplayButton } from './replay-button';
import { newDraft } from './replay-draft';

interface RecoverButtonProps {
  readonly endpointId: string;
  readonly health: EndpointHealth;
}

/** After an outage of a receiver: sends everything again that failed for good since it began, as far as that is known. */
export function RecoverButton({ endpointId, health: { state, since } }: RecoverButtonProps) {
  const start = state === 'failing' && since !== null ? since : undefined;
  return (
    <ReplayButton
      variant="default"
      leftSection={<LifeBuoy size={16} aria-hidden />}
      draft={() => newDraft(endpointId, start)}
    >
      Recover
    </ReplayButton>
  );
}

import { LifeBuoy } from 'lucide-react';
import { ReplayButton } from './replay-button';
import { newDraft } from './replay-draft';

/** After an outage of a receiver: sends everything again that failed for good since then. */
export function RecoverButton({ endpointId }: { readonly endpointId: string }) {
  return (
    <ReplayButton variant="default" leftSection={<LifeBuoy size={16} aria-hidden />} draft={() => newDraft(endpointId)}>
      Recover
    </ReplayButton>
  );
}

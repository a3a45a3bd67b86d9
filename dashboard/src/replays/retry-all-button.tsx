import type { ButtonProps } from '@mantine/core';
import { ReplayButton } from './replay-button';
import { retryDraft } from './replay-draft';

/** Makes the next attempts of what is still retried at an endpoint now, at a rate. */
export function RetryAllButton({ endpointId, ...button }: ButtonProps & { readonly endpointId: string }) {
  return (
    <ReplayButton variant="default" draft={() => retryDraft(endpointId)} {...button}>
      Retry all now
    </ReplayButton>
  );
}

import type { Overview } from '../api/answers';
import { PageLink } from '../elements/links';
import { countInWords } from './count-in-words';

interface WaitingLinkProps {
  readonly endpointId: string;
  readonly waiting: Overview['behind'][number]['waiting'];
}

/** How many deliveries wait for an endpoint, which leads to them. */
export function WaitingLink({ endpointId, waiting }: WaitingLinkProps) {
  return (
    <PageLink to="/dashboard/find" search={{ endpoint_id: endpointId, state: 'open' }}>
      {waiting.deliveries === 1 ? '1 delivery waits' : `${countInWords(waiting)} deliveries wait`}
    </PageLink>
  );
}

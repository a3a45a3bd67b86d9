import type { Endpoint } from '../api/answers';
import { lazyDialog } from '../elements/lazy-dialog';
import type { Backlog } from './backlog-queries';

const BacklogDialog = lazyDialog(() => import('./backlog-dialog'), 'BacklogDialog');
const DropDialog = lazyDialog(() => import('./drop-dialog'), 'DropDialog');

interface BacklogDialogsProps {
  readonly endpoint: Endpoint;
  readonly backlog: Backlog;
  readonly opened: 'rate' | 'drop' | null;
  readonly onOpen: (dialog: 'rate' | 'drop' | null) => void;
}

/** What can be done with a backlog: send it at a rate, or drop it. One dialog leads to the other. */
export function BacklogDialogs({ endpoint, backlog, opened, onOpen }: BacklogDialogsProps) {
  const about = { backlog, onClose: () => onOpen(null) };
  return (
    <>
      <BacklogDialog {...about} endpoint={endpoint} opened={opened === 'rate'} onDrop={() => onOpen('drop')} />
      <DropDialog {...about} endpointId={endpoint.id} opened={opened === 'drop'} />
    </>
  );
}

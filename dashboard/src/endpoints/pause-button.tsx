import { Button, type ButtonProps } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Endpoint } from '../api/answers';
import { lazyDialog } from '../elements/lazy-dialog';
import { BacklogDialogs } from './backlog-dialogs';
import { backlogOf, type Backlog } from './backlog-queries';
import { endpointQuery, waitingQuery, type useEndpointState } from './endpoint-queries';
import { useMay } from '../session/use-may';

const PauseDialog = lazyDialog(() => import('./pause-dialog'), 'PauseDialog');

/** So many are sent within seconds: one click is enough. */
const FEW = 100;

interface PauseButtonProps extends Pick<ButtonProps, 'size'> {
  readonly endpoint: Pick<Endpoint, 'id' | 'status'>;
  readonly state: ReturnType<typeof useEndpointState>;
  readonly iconSize?: number;
  /** Whether a pause asks for a reason first. */
  readonly asksWhy?: boolean;
  /** Read after the label: which endpoint, on a page of several. */
  readonly ofWhat?: ReactNode;
}

/** Pauses an endpoint, or resumes it: if many deliveries wait, it asks how fast they are sent. */
export function PauseButton(props: PauseButtonProps) {
  const { endpoint, state, iconSize = 15, asksWhy = false, ofWhat, ...button } = props;
  const { id, status } = endpoint;
  const client = useQueryClient();
  const [asked, setAsked] = useState<{ readonly endpoint: Endpoint; readonly backlog: Backlog }>();
  const [dialog, setDialog] = useState<'rate' | 'drop' | null>(null);
  const [isCounting, setIsCounting] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const canWrite = useMay('endpoints:write');
  const isActive = status === 'active';
  const Icon = isActive ? Pause : Play;
  const resume = async (): Promise<void> => {
    setIsCounting(true);
    // What can't be counted is not a reason to keep an endpoint paused.
    const found = await Promise.all([client.query(waitingQuery(id)), client.query(endpointQuery(id))]).catch(
      () => undefined,
    );
    setIsCounting(false);
    const [waiting, counted] = found ?? [];
    const backlog = waiting && backlogOf(waiting);
    if (!counted || !backlog || backlog.deliveries <= FEW) return state.mutate('resume');
    setAsked({ endpoint: counted, backlog });
    setDialog('rate');
  };
  const pause = (): void => {
    if (asksWhy) setIsAsking(true);
    else state.mutate('pause');
  };
  if (!canWrite) return null;
  return (
    <>
      <Button
        variant={isActive || button.size === 'xs' ? 'default' : 'filled'}
        leftSection={<Icon size={iconSize} aria-hidden />}
        loading={state.isPending || isCounting}
        onClick={() => (isActive ? pause() : void resume())}
        {...button}
      >
        {isActive ? 'Pause' : 'Resume'}
        {ofWhat}
      </Button>
      <PauseDialog id={id} opened={isAsking} onClose={() => setIsAsking(false)} />
      {asked && <BacklogDialogs {...asked} opened={dialog} onOpen={setDialog} />}
    </>
  );
}

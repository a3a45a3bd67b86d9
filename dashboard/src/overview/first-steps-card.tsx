import { Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Overview } from '../api/answers';
import { Folded } from '../elements/folded';
import { lazyDialog } from '../elements/lazy-dialog';
import { PageButton } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { endpointsQuery, useSendTest } from '../endpoints/endpoint-queries';
import classes from './rows.module.css';
import { ACCOUNT_KEYS } from '../keys/key-kinds';

/** Loaded when it is asked for: the first load of the page has a bound. */
const FirstEvent = lazy(async () => ({ default: (await import('../events/first-event')).FirstEvent }));

const CreateEndpointDialog = lazyDialog(() => import('../endpoints/create-endpoint-dialog'), 'CreateEndpointDialog');
const CreateKeyDialog = lazyDialog(() => import('../keys/create-key-dialog'), 'CreateKeyDialog');

interface FirstStepsCardProps {
  /** Null once something was delivered. */
  readonly steps: Overview['first_steps'];
  readonly onHide: () => void;
}

/** The way to the first delivery, step by step. Each is ticked as it happens. */
export function FirstStepsCard({ steps, onHide }: FirstStepsCardProps) {
  const [isMakingKey, key] = useDisclosure(false);
  const [isMakingEndpoint, endpoint] = useDisclosure(false);
  const done = steps ?? { key: true, endpoint: true, event: true };
  const next = !done.key ? 'key' : !done.endpoint ? 'endpoint' : !done.event ? 'event' : 'delivery';
  const look = (step: string) => (next === step && steps ? 'filled' : 'default');
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="first-steps">
      <Group justify="space-between">
        <Title order={2} id="first-steps">
          {steps ? 'Deliver your first event' : 'Your first event is delivered'}
        </Title>
        {!steps && (
          <Button variant="default" size="xs" onClick={onHide}>
            Hide
          </Button>
        )}
      </Group>
      <Box component="ol" className={classes['list']}>
        <Step
          isDone={done.key}
          title="Create an API key"
          text="Your back end sends events with it."
          action={
            <Button size="xs" variant={look('key')} onClick={key.open}>
              New key
            </Button>
          }
        />
        <Step
          isDone={done.endpoint}
          title="Register an endpoint"
          text="The URL that receives your events."
          action={
            <Button size="xs" variant={look('endpoint')} onClick={endpoint.open}>
              New endpoint
            </Button>
          }
        />
        <Step
          isDone={done.event}
          title="Send an event"
          text={<HowToSend />}
          action={<TestButton variant={look('event')} />}
        />
        <Step
          isDone={steps === null}
          title="See it delivered"
          text="Everpost shows each attempt, and what the receiver answered."
          action={
            <PageButton size="xs" variant={look('delivery')} to="/dashboard/find" search={{ rows: 'deliveries' }}>
              Show deliveries
            </PageButton>
          }
        />
      </Box>
      <CreateKeyDialog kind={ACCOUNT_KEYS} opened={isMakingKey} onClose={key.close} />
      <CreateEndpointDialog opened={isMakingEndpoint} onClose={endpoint.close} />
    </Card>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: ReactNode;
  readonly action: ReactNode;
}

function Step({ isDone, title, text, action }: StepProps) {
  return (
    <Box component="li" className={classes['row']}>
      <Group gap="sm" wrap="nowrap" align="flex-start" className={classes['about']}>
        {isDone ? (
          <CircleCheck size={20} aria-hidden color="var(--mantine-color-anchor)" className={classes['tick']} />
        ) : (
          <Circle size={20} aria-hidden color="var(--mantine-color-dimmed)" className={classes['tick']} />
        )}
        <Stack gap={2} miw={0} flex={1}>
          <Text fw={600}>
            {title}
            <span className="visually-hidden">{isDone ? ': done' : ': to do'}</span>
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {text}
          </Text>
        </Stack>
      </Group>
      {action}
    </Box>
  );
}

/** Sends an event to the newest endpoint; with a key, the caller's own back end does. */
function TestButton({ variant }: { readonly variant: string }) {
  const { data } = useQuery(endpointsQuery);
  const [newest] = data?.endpoints ?? [];
  const send = useSendTest(newest?.id ?? '');
  return (
    <Stack gap="xs" align="flex-end">
      <Button size="xs" variant={variant} disabled={!newest} loading={send.isPending} onClick={() => send.mutate()}>
        Send a test event
      </Button>
      <ProblemAlert error={send.error} title="The test event was not sent" />
    </Stack>
  );
}

function HowToSend() {
  return (
    <>
      With your key, or from here as a test.
      <Folded title="Show the command">
        <Suspense>
          <FirstEvent />
        </Suspense>
      </Folded>
    </>
  );
}

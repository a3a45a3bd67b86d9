import { Alert, Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import { Eye, EyeOff, KeyRound } from 'lucide-react';
import type { Endpoint } from '../api/answers';
import { surface } from '../api/surface';
import { CopyIcon } from '../elements/copy-button';
import { ConfirmButton } from '../elements/confirm-button';
import { ProblemAlert } from '../elements/problem-alert';
import { Ago, exactTime } from '../elements/time';
import { useSecret } from './endpoint-queries';
import { useMay } from '../session/use-may';

/** The signing secret: hidden until asked for, and replaced in two steps so that no delivery is ever unverifiable. */
export function SecretPanel({ endpoint }: { readonly endpoint: Endpoint }) {
  const secret = useSecret(endpoint.id);
  // Here, because the part that begins it disappears as soon as the page is told of the switch.
  const activation = useSecret(endpoint.id);
  const canReveal = useMay('secrets:read');
  const canRotate = useMay('endpoints:write') && canReveal;
  const shown = secret.data;
  const isRotating = endpoint.next_secret_activates_at !== undefined;
  return (
    <Card withBorder padding="lg" component="section">
      <Stack>
        <Group justify="space-between">
          <Title order={2}>Signing secret</Title>
          {canReveal && <RevealButton secret={secret} />}
        </Group>
        <ProblemAlert error={secret.error} title="The request failed" />
        <Text size="sm">
          The current secret is in use since {exactTime(endpoint.secret_since)}.
          {!isRotating && ' No rotation is under way.'}
        </Text>
        {!shown && (
          <Text size="sm" c="dimmed">
            Your receiver needs it to verify deliveries.
            {canReveal && endpoint.options.headers && ' The values of the extra headers are shown with it.'}
            {canReveal && !surface().isPortal && ' The audit log records each time it is revealed.'}
          </Text>
        )}
        {shown && <SecretLine label="In use" value={shown.secret} />}
        {shown?.next_secret && <SecretLine label="Next" value={shown.next_secret} />}
        {Object.entries(shown?.headers ?? {}).map(([name, value]) => (
          <SecretLine key={name} label={name} value={value} />
        ))}
        {isRotating ? (
          <Rotation
            endpoint={endpoint}
            isSwitching={activation.isPending}
            error={activation.error}
            onSwitch={canRotate ? () => activation.mutate('activate', { onSuccess: secret.reset }) : undefined}
          />
        ) : (
          canRotate && <RotateButton secret={secret} />
        )}
      </Stack>
    </Card>
  );
}

interface SecretButtonProps {
  readonly secret: ReturnType<typeof useSecret>;
}

function RevealButton({ secret }: SecretButtonProps) {
  if (secret.data) {
    return (
      <Button variant="default" size="sm" leftSection={<EyeOff size={16} aria-hidden />} onClick={secret.reset}>
        Hide
      </Button>
    );
  }
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<Eye size={16} aria-hidden />}
      loading={secret.isPending}
      onClick={() => secret.mutate('reveal')}
    >
      Reveal
    </Button>
  );
}

function RotateButton({ secret }: SecretButtonProps) {
  return (
    <Group>
      <ConfirmButton
        variant="default"
        question="Rotate the signing secret?"
        consequence="A second secret is created. For 24 hours, or until you switch, deliveries are signed with both, so nothing breaks."
        verb="Create the next secret"
        onConfirm={() => secret.mutateAsync('rotate')}
        isPending={secret.isPending}
        error={null}
      >
        Rotate
      </ConfirmButton>
    </Group>
  );
}

interface RotationProps {
  readonly endpoint: Endpoint;
  readonly isSwitching: boolean;
  readonly error: unknown;
  /** Undefined for a session that may not switch. */
  readonly onSwitch: (() => void) | undefined;
}

/** A rotation that is under way: until when, and the way to end it. */
function Rotation({
  endpoint: { next_secret_activates_at: activatesAt },
  isSwitching,
  error,
  onSwitch,
}: RotationProps) {
  return (
    <Alert color="yellow" title="Rotation in progress" icon={<KeyRound size={18} aria-hidden />}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          Deliveries are signed with both secrets. Move your receiver to the next secret, then switch.
          {activatesAt !== undefined && (
            <>
              {' '}
              The switch comes by itself <Ago at={activatesAt} />.
            </>
          )}
        </Text>
        {onSwitch && (
          <Button size="sm" loading={isSwitching} onClick={onSwitch}>
            Switch to the next secret
          </Button>
        )}
        <ProblemAlert error={error} title="The request failed" />
      </Stack>
    </Alert>
  );
}

function SecretLine({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" fw={600} miw={56}>
        {label}
      </Text>
      <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
      <CopyIcon value={value} label={`Copy the secret (${label.toLowerCase()})`} />
    </Group>
  );
}

import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ProblemAlert } from '../elements/problem-alert';
import { rehearsalQuery, type RehearsedChange } from './rehearsal-queries';
import { RehearsalResult } from './rehearsal-result';

interface RehearsalDialogProps {
  readonly change: RehearsedChange;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** What a change of an endpoint would have done. It covers the form, which stays as it is. */
export function RehearsalDialog({ change, opened, onClose }: RehearsalDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      stackId="rehearsal"
      title="Rehearsal"
      size="xl"
      centered
    >
      <Stack>
        <Rehearsed change={change} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Back to the form
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Rehearsed({ change }: Pick<RehearsalDialogProps, 'change'>) {
  const { data, error } = useQuery(rehearsalQuery(change));
  return (
    <>
      <ProblemAlert error={error} title="The change could not be rehearsed" />
      {!data && !error && (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden />
          <Text size="sm">Trying the change on the newest events. Nothing is changed or sent.</Text>
        </Group>
      )}
      {data && <RehearsalResult result={data} isNew={change.id === undefined} />}
    </>
  );
}

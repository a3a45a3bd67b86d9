import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint } from '../api/answers';
import { ChangedNotice } from './changed-notice';
import { draftOf, type EndpointDraft } from './endpoint-draft';
import { differingFields, withFieldsOf } from './endpoint-fields';
import { EndpointForm } from './endpoint-form';
import { useChangeEndpoint } from './endpoint-queries';
import { editOf, mergedWith } from './merge-change';

interface EditEndpointDialogProps {
  readonly endpoint: Endpoint;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Changes an endpoint. */
export function EditEndpointDialog({ endpoint, opened, onClose }: EditEndpointDialogProps) {
  return (
    <Modal.Stack>
      <Modal stackId="endpoint" opened={opened} onClose={onClose} title="Edit endpoint" size="lg" centered>
        <EditForm endpoint={endpoint} onClose={onClose} />
      </Modal>
    </Modal.Stack>
  );
}

/** Keeps the endpoint that it was opened with, whatever the page behind it shows meanwhile. */
function EditForm({ endpoint, onClose }: Omit<EditEndpointDialogProps, 'opened'>) {
  const [edit, setEdit] = useState(() => editOf(endpoint));
  const change = useChangeEndpoint(endpoint.id);
  const { opened, draft, changed, changedByBoth } = edit;
  const stored = draftOf(opened);
  const setParts = (parts: Partial<EndpointDraft>): void =>
    setEdit((current) => ({ ...current, draft: { ...current.draft, ...parts } }));
  return (
    <EndpointForm
      draft={draft}
      onChange={setParts}
      opened={opened}
      notice={
        changed && (
          <ChangedNotice
            changed={changed}
            draft={draft}
            disputed={differingFields(draft, stored).filter((field) => changedByBoth.includes(field))}
            onTake={(field) => setParts(withFieldsOf(draft, stored, [field]))}
          />
        )
      }
      verb="Save"
      failure="The endpoint was not changed"
      error={change.error}
      isPending={change.isPending}
      onSend={(body) =>
        change.mutate(
          { body, opened },
          {
            onSuccess: (meanwhile) => (meanwhile ? setEdit((current) => mergedWith(current, meanwhile)) : onClose()),
          },
        )
      }
      onCancel={onClose}
    />
  );
}

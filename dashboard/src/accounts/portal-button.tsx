import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { callApi } from '../api/call-api';
import { ProblemAlert } from '../elements/problem-alert';

/** Opens the portal of an account in a new tab, as its customer sees it, read-only. */
export function PortalButton({ id, name }: { readonly id: string; readonly name: string }) {
  const open = useMutation({
    mutationFn: async () => {
      // Before the call: a browser opens no window that a person did not ask for a moment ago.
      const tab = window.open('', '_blank');
      try {
        const { url } = await callApi<{ readonly url: string }>(`/dashboard/api/accounts/${id}/portal`, {
          method: 'POST',
        });
        if (tab) tab.location.href = url;
        else location.assign(url);
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Open as customer ${name}`}
        loading={open.isPending}
        onClick={() => open.mutate()}
      >
        Open as customer
      </Button>
      <ProblemAlert error={open.error} title="The portal could not be opened" />
    </>
  );
}

import { Button } from '@mantine/core';
import { ProblemAlert } from '../elements/problem-alert';
import { useViewAccount } from '../session/view-account';

/** Opens an account, read-only. */
export function ViewButton({ id, email }: { readonly id: string; readonly email: string }) {
  const view = useViewAccount(id);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Look at ${email}`}
        loading={view.isPending}
        onClick={() => view.mutate()}
      >
        Look
      </Button>
      <ProblemAlert error={view.error} title="The account could not be opened" />
    </>
  );
}

import { Button } from '@mantine/core';
import { ProblemAlert } from '../elements/problem-alert';
import { useViewAccount } from '../session/view-account';

interface ViewButtonProps {
  /** Of the account. */
  readonly id: string;
  /** Of what is looked at. */
  readonly name: string;
  /** The page of the account that is opened. */
  readonly page?: string;
}

/** Opens an account, read-only. */
export function ViewButton({ id, name, page }: ViewButtonProps) {
  const view = useViewAccount(id, page);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Look at ${name}`}
        loading={view.isPending}
        onClick={() => view.mutate()}
      >
        Look
      </Button>
      <ProblemAlert error={view.error} title="The account could not be opened" />
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { PageLink } from '../elements/links';
import { EntryForm } from './entry-form';
import { statusQuery } from './session-queries';
import type { Status } from '../api/answers';

/** The way in. After it comes the page that was asked for. */
export function SignInPage() {
  const { data: status } = useQuery(statusQuery);
  const { next = '/dashboard', why } = useSearch({ from: '/dashboard/sign-in' });
  return (
    <EntryForm
      title="Sign in"
      lead={leadOf(why, status)}
      verb="Sign in"
      failure="You are not signed in"
      path="/dashboard/api/sign-in"
      isNewPassword={false}
      next={next}
      footer={
        status?.sign_up && (
          <>
            No account yet?{' '}
            <PageLink underline="always" to="/dashboard/sign-up">
              Make one
            </PageLink>
          </>
        )
      }
    />
  );
}

function leadOf(why: 'suspended' | undefined, status: Status | undefined): string {
  if (why) return 'You are signed out: the operator of this installation suspended this account. Ask the operator.';
  return status?.setup_needed
    ? 'This installation has no operator yet. Open the set-up link that it printed at its start.'
    : 'To your keys, endpoints and deliveries.';
}

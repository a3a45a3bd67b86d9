import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { PageLink } from '../elements/links';
import { EntryForm } from './entry-form';
import { statusQuery } from './session-queries';

/** The way in. After it comes the page that was asked for. */
export function SignInPage() {
  const { data: status } = useQuery(statusQuery);
  const { next = '/dashboard' } = useSearch({ from: '/dashboard/sign-in' });
  return (
    <EntryForm
      title="Sign in"
      lead={
        status?.setup_needed
          ? 'This installation has no operator yet. Open the set-up link that it printed at its start.'
          : 'To your keys, endpoints and deliveries.'
      }
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

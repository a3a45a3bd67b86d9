import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { PageButton, PageLink } from '../elements/links';
import { LoadingPage, Page } from '../shell/page';
import { EntryForm } from './entry-form';
import { statusQuery } from './session-queries';
import type { Status } from '../api/answers';

/** The sign-in page. It leads to the page that was requested. */
export function SignInPage() {
  const { data: status, isPending } = useQuery(statusQuery);
  const { next = '/dashboard', why } = useSearch({ from: '/dashboard/sign-in' });
  if (isPending) return <LoadingPage />;
  if (status && !status.users_exist) return <FirstUser canSignUp={status.sign_up} />;
  return (
    <EntryForm
      title="Sign in"
      lead={leadOf(why, status)}
      verb="Sign in"
      failure="Sign-in failed"
      path="/dashboard/api/sign-in"
      isNewPassword={false}
      next={next}
      footer={
        status?.sign_up && (
          <>
            No account yet?{' '}
            <PageLink underline="always" to="/dashboard/sign-up">
              Create one
            </PageLink>
          </>
        )
      }
    />
  );
}

/** Shown instead of the form while no user exists. */
function FirstUser({ canSignUp }: { readonly canSignUp: boolean }) {
  return (
    <Page
      title="No user exists yet"
      description="Open the set-up link that this installation printed when it started. You become its operator."
    >
      {canSignUp && (
        <PageButton to="/dashboard/sign-up" variant="default">
          Create an account
        </PageButton>
      )}
    </Page>
  );
}

function leadOf(why: 'suspended' | undefined, status: Status | undefined): string {
  if (why) return 'The operator of this installation suspended your account. Contact the operator.';
  return status?.setup_needed
    ? 'This installation has no operator yet. Open the set-up link that it printed when it started.'
    : 'Manage your API keys, endpoints and deliveries.';
}

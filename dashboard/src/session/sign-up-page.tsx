import { PageLink } from '../elements/links';
import { EntryForm } from './entry-form';

/** A new account with its owner. */
export function SignUpPage() {
  return (
    <EntryForm
      title="Make an account"
      lead="You get a dashboard, and keys for the API. It begins in the free tier."
      verb="Make the account"
      failure="The account was not made"
      path="/dashboard/api/sign-up"
      isNewPassword
      next="/dashboard"
      footer={
        <>
          You have one?{' '}
          <PageLink underline="always" to="/dashboard/sign-in">
            Sign in
          </PageLink>
        </>
      }
    />
  );
}

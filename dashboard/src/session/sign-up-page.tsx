import { PageLink } from '../elements/links';
import { EntryForm } from './entry-form';

/** A new account with its owner. */
export function SignUpPage() {
  return (
    <EntryForm
      title="Create an account"
      lead="You get a dashboard and API keys. New accounts start in the free tier."
      verb="Create account"
      failure="The account was not created"
      path="/dashboard/api/sign-up"
      isNewPassword
      next="/dashboard"
      footer={
        <>
          Already have an account?{' '}
          <PageLink underline="always" to="/dashboard/sign-in">
            Sign in
          </PageLink>
        </>
      }
    />
  );
}

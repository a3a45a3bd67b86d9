import { addOperation, type Api } from '../http/operation';
import { readBody } from '../http/read-body';
import type { HttpContext } from '../http/request-state';
import { hashSessionToken, type Client } from '../users/start-session';
import { claimAccount, type ClaimDeps } from '../users/claim-account';
import { proveDevice } from '../users/device-proof';
import { signIn, type SignedIn } from '../users/sign-in';
import { signUp, type SignUpDeps } from '../users/sign-up';
import { readDeviceCookie, readSessionCookie, writeDeviceCookie, writeSessionCookie } from './cookies';
import { presentUser } from './present';
import { credentialsBody, setupBody, statusView, userView } from './schema';

/** What signing in needs. */
export interface SignInRouteDeps extends SignUpDeps, ClaimDeps {
  readonly clientAddress: (ctx: HttpContext) => string;
}

/** Room for the longest address, password and token, with every character escaped. */
const MAX_BYTES = 4 * 1_024;

const SIGNED_IN = { description: 'Signed in; the cookie is set.', schema: userView };
const WEAK = 'The password is easy to guess, or too short.';
const TRIES = 'Too many tries from this address.';

/** Adds the operations that need no session, because they start one. */
export function addSignInRoutes(api: Api, deps: SignInRouteDeps): void {
  addStatus(api, deps);
  addSignIn(api, deps);
  addSignUp(api, deps);
  addClaim(api, deps);
}

function clientOf(ctx: HttpContext, deps: SignInRouteDeps): Client {
  return { address: deps.clientAddress(ctx), userAgent: ctx.get('User-Agent') };
}

/** The session that the browser came with ends: it is another person's, or the same person's old one. */
async function answer(ctx: HttpContext, deps: SignInRouteDeps, { user, token }: SignedIn): Promise<void> {
  const old = readSessionCookie(ctx);
  if (old !== undefined) await deps.sessions.revokeByHash(hashSessionToken(old));
  writeSessionCookie(ctx, token);
  writeDeviceCookie(ctx, proveDevice(deps, user));
  ctx.body = presentUser(user);
}

function addStatus(api: Api, deps: SignInRouteDeps): void {
  addOperation(
    api,
    {
      id: 'getStatus',
      method: 'get',
      path: '/dashboard/api/status',
      tag: 'Entry',
      summary: 'What the sign-in page has to know',
      description: 'Whether strangers may sign up, and whether the installation still needs its operator.',
      answers: { 200: { description: 'The status.', schema: statusView } },
    },
    async (ctx) => {
      ctx.body = { sign_up: deps.signUpIsOpen, setup_needed: !(await deps.users.anyOperator()) };
    },
  );
}

function addSignIn(api: Api, deps: SignInRouteDeps): void {
  addOperation(
    api,
    {
      id: 'signIn',
      method: 'post',
      path: '/dashboard/api/sign-in',
      tag: 'Entry',
      summary: 'Sign in',
      description: 'Starts a session, always under a new id.',
      body: credentialsBody,
      answers: { 200: SIGNED_IN },
      errors: { 401: 'Wrong e-mail address or password.', 429: TRIES },
    },
    async (ctx) => {
      const { value } = await readBody(ctx, credentialsBody, { maxBytes: MAX_BYTES });
      const client = { ...clientOf(ctx, deps), deviceProof: readDeviceCookie(ctx) };
      await answer(ctx, deps, await signIn(deps, value, client));
    },
  );
}

function addSignUp(api: Api, deps: SignInRouteDeps): void {
  addOperation(
    api,
    {
      id: 'signUp',
      method: 'post',
      path: '/dashboard/api/sign-up',
      tag: 'Entry',
      summary: 'Create an account',
      description: 'Creates an account in the first tier, with its owner, and signs the owner in.',
      body: credentialsBody,
      answers: { 201: SIGNED_IN },
      errors: { 403: 'Sign-up is switched off.', 409: 'The address has an account.', 422: WEAK, 429: TRIES },
    },
    async (ctx) => {
      const { value } = await readBody(ctx, credentialsBody, { maxBytes: MAX_BYTES });
      const signedIn = await signUp(deps, value, clientOf(ctx, deps));
      ctx.status = 201;
      await answer(ctx, deps, signedIn);
    },
  );
}

function addClaim(api: Api, deps: SignInRouteDeps): void {
  addOperation(
    api,
    {
      id: 'claimAccount',
      method: 'post',
      path: '/dashboard/api/setup',
      tag: 'Entry',
      summary: 'Use a set-up link',
      description: 'Makes the holder of the link the owner of its account and the operator, and signs in.',
      body: setupBody,
      answers: { 201: SIGNED_IN },
      errors: { 404: 'The link was used or has expired.', 409: 'The address has an account.', 422: WEAK, 429: TRIES },
    },
    async (ctx) => {
      const { value } = await readBody(ctx, setupBody, { maxBytes: MAX_BYTES });
      const signedIn = await claimAccount(deps, value, clientOf(ctx, deps));
      ctx.status = 201;
      await answer(ctx, deps, signedIn);
    },
  );
}

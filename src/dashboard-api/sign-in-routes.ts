import { addRoute } from '../http/operation';
import type { RouteApi } from '../http/route';
import { SMALL_BODY_BYTES } from '../http/read-body';
import type { HttpContext } from '../http/request-state';
import { hashSessionToken, type Client } from '../users/start-session';
import { setUpAccount, type SetUpDeps } from '../users/set-up-account';
import { proveDevice } from '../users/device-proof';
import { signIn, type SignedIn } from '../users/sign-in';
import { signUp, type SignUpDeps } from '../users/sign-up';
import { readDeviceCookie, readSessionCookie, writeDeviceCookie, writeSessionCookie } from './cookies';
import { presentUser } from './present';
import { credentialsBody, setupBody, statusView } from './schema';

/** What signing in needs. */
export interface SignInRouteDeps extends SignUpDeps, SetUpDeps {
  readonly clientAddress: (ctx: HttpContext) => string;
}

const PREFIX = '/dashboard/api';
/** The longest address, password of ASCII characters and token. A stranger's call must not hold more. */
const bodyLimits = { maxBytes: SMALL_BODY_BYTES };

/** Adds the operations that need no session, because they start one. */
export function addSignInRoutes(api: RouteApi, deps: SignInRouteDeps): void {
  // Whether strangers may sign up, whether the installation still needs its operator, and whether any user can sign in.
  addRoute(api, { id: 'getStatus', method: 'get', path: `${PREFIX}/status`, answer: statusView }, async () => {
    const hasOperator = await deps.users.anyOperator();
    const usersExist = hasOperator || (await deps.users.any());
    return { sign_up: deps.signUpIsOpen, setup_needed: !hasOperator, users_exist: usersExist };
  });

  // Starts a session, always under a new id.
  addRoute(
    api,
    { id: 'signIn', method: 'post', path: `${PREFIX}/sign-in`, body: credentialsBody, bodyLimits },
    async ({ body, ctx }) => {
      const client = { ...clientOf(ctx, deps), deviceProof: readDeviceCookie(ctx) };
      return answer(ctx, deps, await signIn(deps, body, client));
    },
  );

  // Creates an account in the first tier, with its owner, and signs the owner in.
  addRoute(
    api,
    { id: 'signUp', method: 'post', path: `${PREFIX}/sign-up`, body: credentialsBody, bodyLimits },
    async ({ body, ctx }) => {
      const signedIn = await signUp(deps, body, clientOf(ctx, deps));
      ctx.status = 201;
      return answer(ctx, deps, signedIn);
    },
  );

  // Makes the user of the link the owner of its account and an operator, and signs in.
  addRoute(
    api,
    { id: 'setUpAccount', method: 'post', path: `${PREFIX}/setup`, body: setupBody, bodyLimits },
    async ({ body, ctx }) => {
      const signedIn = await setUpAccount(deps, body, clientOf(ctx, deps));
      ctx.status = 201;
      return answer(ctx, deps, signedIn);
    },
  );
}

function clientOf(ctx: HttpContext, deps: SignInRouteDeps): Client {
  return { address: deps.clientAddress(ctx), userAgent: ctx.get('User-Agent') };
}

/** The session that the browser sent ends: it is another user's, or the same user's old one. */
async function answer(ctx: HttpContext, deps: SignInRouteDeps, { user, token }: SignedIn): Promise<object> {
  const old = readSessionCookie(ctx);
  if (old !== undefined) await deps.sessions.revokeByHash(hashSessionToken(old));
  writeSessionCookie(ctx, token);
  writeDeviceCookie(ctx, proveDevice(deps, user));
  return presentUser(user);
}

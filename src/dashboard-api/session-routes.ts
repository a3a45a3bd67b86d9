import { z } from 'zod';
import { PRODUCT_PREFIXES, PRODUCTS } from '../domain/api-key';
import { NotFoundError } from '../domain/errors';
import type { Tier } from '../domain/tiers';
import { addOperation, type Api } from '../http/operation';
import { readBody } from '../http/read-body';
import type { SecretBox } from '../platform/secret-box';
import { changePassword, type PasswordDeps } from '../users/change-password';
import { proveDevice } from '../users/device-proof';
import type { TryCounter } from '../users/try-count-store';
import { readDeviceCookie, writeDeviceCookie, writeSessionCookie } from './cookies';
import { presentAccountName, presentSession, presentUser, tierOf } from './present';
import { sessionOf } from './require-session';
import { endedView, meView, passwordBody, sessionListView } from './schema';

/** What operations on one's own sign-in need. */
export interface SessionDeps extends PasswordDeps {
  readonly secretBox: SecretBox;
  readonly tries: TryCounter;
  readonly tiers: ReadonlyMap<string, Tier>;
  /** Where operators look at executions; undefined where nobody said. */
  readonly temporalUi: { readonly url: string; readonly namespace: string } | undefined;
}

const NOTHING = { description: 'Done.' };

/** Adds the operations on one's own sign-in. */
export function addSessionRoutes(api: Api, deps: SessionDeps): void {
  addOperation(
    api,
    {
      id: 'getMe',
      method: 'get',
      path: '/dashboard/api/me',
      tag: 'Session',
      summary: 'Who is signed in',
      description: 'The user, the account with its tier, and what the pages need of the installation.',
      answers: { 200: { description: 'The user.', schema: meView } },
    },
    (ctx) => {
      const { user, account } = sessionOf(ctx);
      ctx.body = {
        user: presentUser(user),
        account: { ...presentAccountName(account), tier: tierOf(deps.tiers, account) },
        products: PRODUCT_PREFIXES.map((prefix) => ({ prefix, name: PRODUCTS[prefix] })),
        // It shows the executions of every account.
        temporal_ui: (user.operator && deps.temporalUi) || null,
      };
    },
  );

  addOperation(
    api,
    {
      id: 'signOut',
      method: 'post',
      path: '/dashboard/api/sign-out',
      tag: 'Session',
      summary: 'Sign out',
      description: 'Ends this session.',
      answers: { 204: NOTHING },
      audit: 'session.ended',
    },
    async (ctx) => {
      const { session, user } = sessionOf(ctx);
      await deps.sessions.revoke(user._id, session._id);
      writeSessionCookie(ctx, null);
      ctx.status = 204;
    },
  );
  addPasswordChange(api, deps);
  addSessionList(api, deps);
}

function addPasswordChange(api: Api, deps: SessionDeps): void {
  addOperation(
    api,
    {
      id: 'changePassword',
      method: 'post',
      path: '/dashboard/api/password',
      tag: 'Session',
      summary: 'Change the password',
      description: 'Sets a new password and ends every other session of the user.',
      body: passwordBody,
      recordsItself: true,
      answers: { 204: NOTHING },
      errors: {
        403: 'The current password is wrong.',
        422: 'The new password is easy to guess, or too short.',
        429: 'Too many wrong passwords.',
      },
    },
    async (ctx) => {
      const { value } = await readBody(ctx, passwordBody);
      const { session, user } = sessionOf(ctx);
      const by = {
        user,
        sessionId: session._id,
        address: ctx.state.caller.address,
        deviceProof: readDeviceCookie(ctx),
      };
      const passwords = { current: value.current_password, next: value.new_password };
      writeDeviceCookie(ctx, proveDevice(deps, await changePassword(deps, by, passwords)));
      ctx.status = 204;
    },
  );
}

function addSessionList(api: Api, deps: SessionDeps): void {
  addOperation(
    api,
    {
      id: 'listSessions',
      method: 'get',
      path: '/dashboard/api/sessions',
      tag: 'Session',
      summary: 'List sessions',
      description: "The user's sessions that are not over, newest first.",
      answers: { 200: { description: 'The sessions.', schema: sessionListView } },
    },
    async (ctx) => {
      const { session: current, user } = sessionOf(ctx);
      const sessions = await deps.sessions.listByUser(user._id);
      ctx.body = { sessions: sessions.map((session) => presentSession(session, current._id)) };
    },
  );

  addOperation(
    api,
    {
      id: 'revokeSession',
      method: 'delete',
      path: '/dashboard/api/sessions/{session_id}',
      tag: 'Session',
      summary: 'End a session',
      description: 'Ends one session of the user, this one included.',
      params: { session_id: z.string() },
      answers: { 204: NOTHING },
      errors: { 404: 'The user has no such session.' },
      audit: 'session.revoked',
    },
    async (ctx) => {
      const { user } = sessionOf(ctx);
      if (!(await deps.sessions.revoke(user._id, ctx.params['session_id'] ?? ''))) {
        throw new NotFoundError('There is no session with this id.', 'session_not_found');
      }
      ctx.status = 204;
    },
  );

  addOperation(
    api,
    {
      id: 'revokeOtherSessions',
      method: 'delete',
      path: '/dashboard/api/sessions',
      tag: 'Session',
      summary: 'End all other sessions',
      description: 'Ends every session of the user but this one.',
      answers: { 200: { description: 'How many were ended.', schema: endedView } },
      audit: 'session.revoked',
    },
    async (ctx) => {
      const { session, user } = sessionOf(ctx);
      ctx.body = { ended: await deps.sessions.revokeAllOf(user._id, session._id) };
    },
  );
}

import { describeOperations } from '../src/operations';
import type { Route } from '../src/http/route';

/** A route as a stranger sees it. */
export interface StrangerRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** How much of a stranger's body it reads. */
  readonly reads: number;
  /** Whether strangers may use it. */
  readonly isPublic: boolean;
}

/** Ways to sign in, and the estimator: strangers may use them, so they read strangers' bodies, up to a limit. */
const ENTRY_BYTES = 1_536;
const ESTIMATE_BYTES = 64 * 1_024;

const routeOf = (operation: Route, reads: number, isPublic: boolean): StrangerRoute => ({
  name: `${operation.method.toUpperCase()} ${operation.path}`,
  method: operation.method.toUpperCase(),
  path: operation.path.replaceAll(/\{\w+\}/g, '1'),
  reads,
  isPublic,
});

const pageOf = (path: string, method = 'GET'): StrangerRoute => ({
  name: `${method} ${path}`,
  method,
  path,
  reads: 0,
  isPublic: method === 'GET',
});

const { api, dashboard: pages } = describeOperations();

/** Operations that need a session. */
export const SESSION_ROUTES: readonly StrangerRoute[] = pages.session.operations.map((operation) =>
  routeOf(operation, 0, false),
);

/** Every route: those of operations, and everything else that `src/app.ts` serves. */
export const STRANGER_ROUTES: readonly StrangerRoute[] = [
  ...api.operations.map((operation) => {
    const isPublic = operation.security !== undefined;
    return routeOf(operation, isPublic && operation.body ? ESTIMATE_BYTES : 0, isPublic);
  }),
  ...pages.entry.operations.map((operation) =>
    routeOf(operation, operation.body ? ENTRY_BYTES : 0, operation.body === undefined),
  ),
  ...SESSION_ROUTES,
  ...['/', '/dashboard', '/estimator', '/docs', '/openapi.json'].map((path) => pageOf(path)),
  ...['/healthz', '/readyz', '/favicon.svg'].map((path) => pageOf(path)),
  ...['/dashboard', '/nothing', '/api/v1/nothing', '/dashboard/api/nothing'].map((path) => pageOf(path, 'POST')),
];

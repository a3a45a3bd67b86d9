import { CREDENTIALS_NOT_SENT, ENDPOINT_NOT_FOUND } from '../endpoints/examples';
import { urlProblemsOf } from '../endpoints/url-problems';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { COMPLETED, NOT_FOUND, RUNNING } from './examples';
import { rehearsalParams } from './params';
import { presentRehearsal } from './present';
import { getRehearsal, rehearse, type RehearsalDeps } from './rehearse';
import { createRehearsalBody, rehearsalView } from './schema';
import { REHEARSALS_PATH, REHEARSALS_TAG } from './tag';

/** How long a call waits for the result. Most have it sooner. */
const WAIT_MS = 2_000;

/** Adds the operations on rehearsals. */
export function addRehearsalRoutes(api: Api, deps: RehearsalDeps): void {
  addCreate(api, deps);
  addGet(api, deps);
}

function addCreate(api: Api, deps: RehearsalDeps): void {
  addOperation(
    api,
    {
      id: 'createRehearsal',
      method: 'post',
      path: REHEARSALS_PATH,
      scopes: ['events:read', 'endpoints:read'],
      tag: REHEARSALS_TAG,
      summary: 'Rehearse a change',
      description:
        'Finds out what a change would have done to the newest stored events: how many of them an endpoint gets before ' +
        'and after, their bodies, and its rate at the peak; or how many events of a type a schema refuses. It changes ' +
        'nothing. The change is checked as the PATCH or the POST would. 200 has the result; after two seconds the ' +
        'answer is 202, and `GET` shows the result later. It ends after at most 30 seconds.',
      body: createRehearsalBody,
      inspect: (body) => problemsOfUrl(deps, body),
      bodyExample: { change: { endpoint: { url: 'https://example.com/webhooks', events: ['order.*'] } }, limit: 1_000 },
      answers: {
        200: { description: 'The rehearsal with its result.', schema: rehearsalView, example: COMPLETED },
        202: {
          description: 'The rehearsal, which is still running.',
          schema: rehearsalView,
          example: RUNNING,
          headers: { Location: 'Path of the rehearsal.' },
        },
      },
      errors: {
        ...ENDPOINT_NOT_FOUND.errors,
        409: "Stored credentials or static headers would be sent to another host, and the key can't read secrets.",
        422: 'The URL or the schema can not be used, or the type is reserved.',
      },
      errorExamples: { ...ENDPOINT_NOT_FOUND.errorExamples, 409: CREDENTIALS_NOT_SENT },
    },
    async ({ body, caller, ctx }) => {
      const rehearsal = await rehearse(deps, caller, body, WAIT_MS);
      const isRunning = rehearsal.state === 'running';
      ctx.status = isRunning ? 202 : 200;
      if (isRunning) ctx.set('Location', `${REHEARSALS_PATH}/${rehearsal._id}`);
      return presentRehearsal(rehearsal);
    },
  );
}

/** The problems of the URL in the change, at its place. */
function problemsOfUrl(deps: RehearsalDeps, body: unknown) {
  const { change } = (body ?? {}) as { readonly change?: { readonly endpoint?: unknown } | null };
  const problems = urlProblemsOf(deps)(change?.endpoint ?? null);
  return problems.map(({ path, message }) => ({ path: `change.endpoint.${path}`, message }));
}

function addGet(api: Api, deps: RehearsalDeps): void {
  addOperation(
    api,
    {
      id: 'getRehearsal',
      method: 'get',
      path: `${REHEARSALS_PATH}/{rehearsal_id}`,
      scopes: ['events:read', 'endpoints:read'],
      tag: REHEARSALS_TAG,
      summary: 'Get a rehearsal and its result',
      description: 'It has ended if `state` is not `running`. It is kept for an hour.',
      params: rehearsalParams,
      answers: { 200: { description: 'The rehearsal.', schema: rehearsalView, example: COMPLETED } },
      errors: { 404: 'The rehearsal does not exist, or it belongs to another account.' },
      errorExamples: { 404: NOT_FOUND },
    },
    async ({ params: { rehearsal_id: id }, caller }) => presentRehearsal(await getRehearsal(deps, caller, id)),
  );
}

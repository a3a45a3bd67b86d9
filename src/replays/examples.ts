import { EXAMPLE_ID, type ErrorExample, type Operation } from '../http/route';

/** A bulk replay in the OpenAPI document, when it is created. */
export const CREATED = {
  job_id: `rpl_${EXAMPLE_ID}`,
  state: 'running',
  paused: false,
  filter: {
    state: 'failed',
    endpoint_id: `ep_${EXAMPLE_ID}`,
    type: null,
    after: null,
    before: null,
    completed_after: '2026-11-21T06:00:00.000Z',
    completed_before: null,
  },
  rate_per_second: 50,
  matched: null,
  replayed: 0,
  skipped: 0,
  at_run_limit: 0,
  changed_at: null,
  created_at: '2026-11-21T12:00:00.000Z',
  finished_at: null,
};

/** The same while it runs. */
export const RUNNING = { ...CREATED, matched: 1_200, replayed: 350 };

/** The error where ten are running. */
export const LIMIT_REACHED: ErrorExample = {
  error: 'This account has 10 replays running, which is the limit. Wait for one, or cancel it.',
  code: 'replay_limit_reached',
};

/** The error for a replay that does not exist or is not the caller's. */
export const NOT_FOUND: ErrorExample = { error: 'There is no replay with this id.', code: 'replay_not_found' };

/** The errors of operations on a running replay. */
export const ENDED = {
  errors: {
    404: 'The replay does not exist, or it belongs to another account.',
    409: 'It has ended.',
  },
  errorExamples: {
    404: NOT_FOUND,
    409: { error: 'This replay is completed already.', code: 'replay_finished' },
  },
} satisfies Pick<Operation, 'errors' | 'errorExamples'>;

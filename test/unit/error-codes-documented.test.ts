import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTEMPT_ERROR_CODES } from '../../src/domain/delivery-state';
import { ERROR_CODES } from '../../src/http/error-codes';

const ROOT = join(__dirname, '..', '..');

/** Words of this form in the code that are not error codes, and what they are. */
const NOT_CODES = new Set(
  [
    // Values and counters of the estimator.
    'ai_ml cloud_a estimator_limits window_started_at window_used quota_used',
    // Event statuses.
    'no_destinations partially_failed',
    // Fields and labels.
    'accepted_at created_at key_id session_id user_id user_agent event_id account_id status_code next_secret payload_hash',
    'idempotency_key next_secret_at secret_since disabled_reason failing_since next_delay_ms next_attempt_at',
    'claimed_by claimed_until paused_at held_for held_at expires_at announced_since disabled_at failed_by search_fields',
    'finished_at actor_type actor_id actor_name endpoint_id error_code latency_ms response_snippet response_headers',
    'started_at',
    'completed_after completed_before',
    // What the command line prints of a removed user's keys.
    'active_keys revoked_keys',
    // Options of an endpoint.
    'retry_schedule max_per_second disable_on_gone honor_retry_after send_traceparent',
    // What becomes of a quota.
    'used_up runs_out',
    // Why a delivery is held.
    'at_cap at_rate in_line',
    // zod's issues.
    'invalid_type invalid_value unrecognized_keys',
    // Collections.
    'api_keys idempotency_keys ordered_endpoints audit_log setup_links sign_in_tries attempt_counts endpoint_health',
    // An index of earlier versions.
    'event_id_1',
    'reached_quotas key_revocations stored_bytes',
    // Versions that the insertions of an account serialise on.
    'keys_version replays_version',
    // Examples.
    'ord_42 ord_42_created ep_4gq9k1m3v7z2x8c5b6n0t1r2s3',
  ].flatMap((words) => words.split(' ')),
);
const METRIC = /^(everpost|http_server|process)_/;

/** What http/error-mapper.ts makes of each error. */
const STATUS_OF: Record<string, number> = {
  InvalidRequestError: 400,
  UnauthorizedError: 401,
  ForbiddenError: 403,
  NotFoundError: 404,
  MethodNotAllowedError: 405,
  ConflictError: 409,
  PayloadTooLargeError: 413,
  UnsupportedMediaTypeError: 415,
  UnprocessableError: 422,
  TooManyRequestsError: 429,
  UnavailableError: 503,
};

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'http/error-codes.ts')
  .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'));

const documentation = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');

function codesOf(text: string): string[] {
  return [...text.matchAll(/'([a-z]+(?:_[a-z0-9]+)+)'/g)].map((match) => match[1]!);
}

/** Rows of the tables: a code, and the status where the table has one. */
function documented(): Map<string, number | undefined> {
  const rows = documentation.matchAll(/^\| (?:<a id="\w+"><\/a>)?`([a-z0-9_]+)` \| (?:(\d{3}) \|)?/gm);
  return new Map([...rows].map((row) => [row[1]!, row[2] === undefined ? undefined : Number(row[2])]));
}

describe('docs/errors.md', () => {
  const inCode = new Set(sources.flatMap(codesOf).filter((word) => !NOT_CODES.has(word) && !METRIC.test(word)));
  // One word, so it does not have the form that is searched for.
  inCode.add('timeout');

  it('lists exactly the codes in the source', () => {
    expect(inCode.size).toBeGreaterThan(30);
    expect([...documented().keys()].toSorted()).toEqual([...inCode].toSorted());
  });

  it('has a row that can be linked to for each code of the OpenAPI document', () => {
    const ofApi = documentation.slice(
      documentation.indexOf('## Codes of the API'),
      documentation.indexOf('## Codes of the dashboard'),
    );
    const rows = [...ofApi.matchAll(/^\| <a id="(\w+)"><\/a>`(\w+)` /gm)];
    expect(rows.map(([, anchor]) => anchor)).toEqual(rows.map(([, , code]) => code));
    expect(rows.map(([, , code]) => code)).toEqual(ERROR_CODES);
  });

  it('lists the error codes of attempts', () => {
    expect([...documented().keys()]).toEqual(expect.arrayContaining([...ATTEMPT_ERROR_CODES]));
  });

  it('gives each code the status that the API returns', () => {
    const thrown = sources.flatMap((text) => [...text.matchAll(/new (\w+Error)\(([\s\S]*?)\);/g)]);
    const statuses = thrown.flatMap(([, name, args]) =>
      codesOf(args!).flatMap((code) => (STATUS_OF[name!] === undefined ? [] : [[code, STATUS_OF[name!]] as const])),
    );
    expect(statuses.length).toBeGreaterThan(15);
    const wrong = statuses.filter(([code, status]) => (documented().get(code) ?? status) !== status);
    expect(wrong).toEqual([]);
  });
});

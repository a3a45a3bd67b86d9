import type { Received } from '../receivers/receiver-log';

/** A call that was answered, with the moments before and after it. */
export interface Call {
  readonly what: 'cancel' | 'retry' | 'replay' | 'pause' | 'resume' | 'move' | 'delete';
  readonly from: number;
  readonly to: number;
  readonly status: number;
  readonly code: string | undefined;
  /** Of a move: the path to which the endpoint leads from now on. */
  readonly path?: string;
}

export interface ShownAttempt {
  readonly run: number;
  readonly number: number;
  readonly trigger: 'scheduled' | 'manual';
  readonly status_code: number | null;
}

/** A delivery at its end, as the API shows it. */
export interface ShownDelivery {
  readonly id: string;
  readonly state: string;
  readonly run: number;
  readonly attempt_count: number;
  readonly max_attempts: number;
  readonly attempts: readonly ShownAttempt[];
}

/**
 * Everything known about one delivery: the calls for it and its endpoint, the requests that arrived, and the record.
 */
export interface DeliveryStory {
  readonly delivery: ShownDelivery;
  readonly calls: readonly Call[];
  readonly endpointCalls: readonly Call[];
  /** In the order in which they came. */
  readonly requests: readonly Received[];
  readonly firstPath: string;
  /** Before each attempt, in milliseconds. */
  readonly schedule: readonly number[];
}

/**
 * An attempt that has read the record goes out, whatever is written next: its request may still arrive this long after
 * an answer.
 */
const UNDER_WAY_MS = 3_000;
/** Timers and two processes' clocks. */
const EARLY_MS = 150;

/**
 * Holds one delivery's story against the state machine of deliveries.
 *
 * @returns a sentence for each rule that was broken
 */
export function brokenRules(story: DeliveryStory): string[] {
  const broken: string[] = [];
  const rule = (holds: boolean, otherwise: string): void => {
    if (!holds) broken.push(otherwise);
  };
  holdHistory(story, rule);
  holdPace(story, rule);
  holdEnd(story, rule);
  holdCalls(story, rule);
  holdEndpoint(story, rule);
  return broken;
}

type Rule = (holds: boolean, otherwise: string) => void;

const isSuccess = ({ status_code: status }: ShownAttempt): boolean => status === 200;
const accepted = ({ status }: Call): boolean => status >= 200 && status < 300;

function runsOf({ attempts, run: last }: ShownDelivery): ShownAttempt[][] {
  return Array.from({ length: last }, (_, index) => attempts.filter(({ run }) => run === index + 1));
}

/** The record and the receivers tell the same story. */
function holdHistory({ delivery, requests }: DeliveryStory, rule: Rule): void {
  const { attempts, max_attempts: most } = delivery;
  for (const [index, run] of runsOf(delivery).entries()) {
    const numbers = run.map(({ number }) => number);
    const name = `run ${index + 1}`;
    rule(
      numbers.every((number, at) => number === at + 1),
      `${name} has the attempts ${numbers.join(', ')}`,
    );
    rule(numbers.length <= most, `${name} has ${numbers.length} attempts of ${most}`);
    rule(
      run.slice(0, -1).every((it) => !isSuccess(it)),
      `${name} went on after a 2xx`,
    );
  }
  const recorded = attempts.map(({ status_code: status }) => status).join(' ');
  const received = requests.map(({ status }) => status).join(' ');
  rule(recorded === received, `the record says ${recorded || 'nothing'}, the receiver ${received || 'nothing'}`);
}

/** A scheduled attempt is never early; a manual one was requested. */
function holdPace({ delivery, requests, schedule, calls }: DeliveryStory, rule: Rule): void {
  const manual = delivery.attempts.filter(({ trigger }) => trigger === 'manual').length;
  // A call whose answer was lost, or came too late for a 202, may have been heard.
  const asked = calls.filter(
    (call) => call.what === 'retry' && (accepted(call) || [0, 503].includes(call.status)),
  ).length;
  rule(manual <= asked, `${manual} manual attempts, and ${asked} were asked for`);
  for (const [index, attempt] of delivery.attempts.entries()) {
    const [before, now] = [requests[index - 1], requests[index]];
    if (attempt.number === 1 || attempt.trigger === 'manual' || !before?.endedAt || !now) continue;
    const waitedMs = now.at - before.endedAt;
    const dueMs = schedule[attempt.number - 1]!;
    rule(waitedMs >= dueMs - EARLY_MS, `attempt ${attempt.number} came after ${waitedMs} ms instead of ${dueMs}`);
  }
}

/** The state matches the result of the last run. */
function holdEnd({ delivery, calls, endpointCalls }: DeliveryStory, rule: Rule): void {
  const { state, max_attempts: most, run, attempt_count: count } = delivery;
  const last = runsOf(delivery)[run - 1]!;
  rule(count === last.length, `attempt_count is ${count}, and run ${run} has ${last.length}`);
  const ended = calls.some((call) => call.what === 'cancel' && (accepted(call) || call.status === 0));
  const removed = endpointCalls.some((call) => call.what === 'delete' && (accepted(call) || call.status === 0));
  if (last.some(isSuccess)) rule(state === 'delivered', `a 2xx was answered, and it is ${state}`);
  else if (state === 'failed') rule(last.length === most, `failed after ${last.length} of ${most} attempts`);
  else if (state === 'cancelled') rule(ended || removed, 'cancelled, and no call asked for it');
  else rule(false, `no 2xx, and it is ${state}`);
  const replays = calls.filter((call) => call.what === 'replay' && accepted(call)).length;
  const maybe = calls.filter((call) => call.what === 'replay' && call.status === 0).length;
  rule(run >= 1 + replays && run <= 1 + replays + maybe, `run ${run} after ${replays} replays`);
}

/** What a call was answered is what happened then. */
function holdCalls({ calls, endpointCalls, requests }: DeliveryStory, rule: Rule): void {
  const next = (after: Call, what: Call['what']): number =>
    Math.min(
      ...calls.filter((call) => call.what === what && accepted(call) && call.to > after.to).map(({ from }) => from),
    );
  for (const call of calls) {
    const name = `${call.what} answered ${call.status}`;
    rule([202, 409, 503].includes(call.status), `${name} (${call.code}), which it never should`);
    const replayedAt = next(call, 'replay');
    const isLate = ({ at }: Received): boolean => at > call.to + UNDER_WAY_MS && at < replayedAt;
    const isOver = call.what === 'cancel' && (accepted(call) || call.code === 'delivery_finished');
    if (isOver) rule(!requests.some(isLate), `${name}, and a request was made after it`);
    const cameIn = requests.some(({ at }) => at > call.from - EARLY_MS);
    if (call.what === 'replay' && accepted(call)) {
      // Ended before its turn, by a call for it or for its endpoint.
      const isRemoved = endpointCalls.some(
        ({ what, to, status }) => what === 'delete' && status < 300 && to > call.from,
      );
      const mayNot = next(call, 'cancel') < Infinity || isRemoved;
      rule(cameIn || mayNot, `${name}, and nothing was sent`);
    }
  }
}

/** A paused endpoint gets nothing, a removed one never again, a moved one at its new place. */
function holdEndpoint({ endpointCalls, requests, firstPath }: DeliveryStory, rule: Rule): void {
  let path = firstPath;
  const changes = endpointCalls.filter(accepted);
  for (const [index, call] of changes.entries()) {
    const following = changes.slice(index + 1);
    const until = (whats: readonly Call['what'][]): number =>
      following.find(({ what }) => whats.includes(what))?.from ?? Infinity;
    const between = (to: number): Received[] => requests.filter(({ at }) => at > call.to + UNDER_WAY_MS && at < to);
    if (call.what === 'pause')
      rule(between(until(['resume'])).length === 0, 'a request came while the endpoint was paused');
    if (call.what === 'delete') rule(between(Infinity).length === 0, 'a request came after the endpoint was removed');
    if (call.what === 'move') {
      path = call.path!;
      const elsewhere = between(until(['move'])).filter((request) => request.path !== path);
      rule(elsewhere.length === 0, 'a request went to where the endpoint was before');
    }
  }
}

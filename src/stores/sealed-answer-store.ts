import { Binary } from 'mongodb';
import type { AccountKey } from '../payloads/account-key';
import type { PayloadBox } from '../payloads/payload-box';
import { MissingKeyError } from '../platform/secret-box';

/** What a receiver sent: it may repeat what it got. */
interface Received {
  readonly response_snippet: string | null;
  readonly response_headers?: string;
}

/** An answer, or a part of it, as MongoDB has it: `sealed` is one box with all of `Received`, which then stands nowhere else. */
export type AnswerAtRest<Answer> = Omit<Answer, keyof Received> & Partial<Received> & { readonly sealed?: Binary };

/** What opening an attempt needs of it. */
interface Opened {
  readonly _id: string;
  readonly event_id: number;
  readonly answer?: object;
}

/** For projections that read what a receiver sent, in either form. */
export const WITH_SNIPPET = { response_snippet: 1, sealed: 1 } as const;

const ownerOf = (eventId: number): string => `event:${eventId}`;
const partOf = (attemptId: string): string => `answer ${attemptId}`;

/**
 * The form in which a receiver's answer, or a part of it, is stored. What can't be sealed is left out: an answer is never
 * lost for its text.
 *
 * @param attempt its id, which the box is bound to, and its event
 */
export async function sealAnswer<Answer extends Received>(
  payloads: PayloadBox,
  attempt: { readonly id: string; readonly eventId: number; readonly accountId: string },
  answer: Answer,
): Promise<AnswerAtRest<Answer>> {
  const { response_snippet, response_headers, ...rest } = answer;
  if (!payloads.seals || (response_snippet === null && response_headers === undefined)) return answer;
  const key = await payloads.keyToSeal(attempt.accountId).catch(rethrowUnlessMissing);
  if (!key) return { ...rest, response_snippet: null };
  const box = Buffer.from(JSON.stringify({ response_snippet, response_headers } satisfies Record<string, unknown>));
  return { ...rest, sealed: new Binary(key.seal(ownerOf(attempt.eventId), partOf(attempt.id), box)) };
}

/** Opens attempts of one account. @throws UnavailableError `encryption_key_missing` if this process can't open them */
export async function openAttempts<Attempt extends Opened>(
  payloads: PayloadBox,
  accountId: string,
  attempts: readonly (Omit<Attempt, 'answer'> & { readonly answer?: AnswerAtRest<Attempt['answer']> })[],
): Promise<Attempt[]> {
  const isSealed = attempts.some(({ answer }) => answer?.sealed);
  const key = isSealed ? await payloads.keyToOpen(accountId) : null;
  return attempts.map((attempt) => (key ? openAttempt(key, attempt as AtRest) : attempt) as unknown as Attempt);
}

type AtRest = Opened & { readonly answer?: { readonly sealed?: Binary } };

function openAttempt(key: AccountKey, attempt: AtRest): Opened {
  if (!attempt.answer?.sealed) return attempt;
  const { sealed, ...rest } = attempt.answer;
  const box = key.open(ownerOf(attempt.event_id), partOf(attempt._id), sealed.value());
  return { ...attempt, answer: { ...rest, ...(JSON.parse(box.toString()) as Received) } };
}

function rethrowUnlessMissing(error: unknown): null {
  if (error instanceof MissingKeyError) return null;
  throw error;
}

import { InvalidRequestError } from '../domain/errors';
import { timeParam } from '../http/list-query';

/**
 * Reads a time as the API takes one: whatever else JavaScript makes a time of depends on this machine, or on a guess.
 *
 * @param name of the option, for the error
 * @throws InvalidRequestError
 */
export function readTime(name: string, text: string): Date {
  const parsed = timeParam.safeParse(text);
  if (!parsed.success) throw new InvalidRequestError(`${name} ${parsed.error.issues[0]!.message}.`);
  return parsed.data;
}

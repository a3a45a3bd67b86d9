import { InvalidRequestError } from '../domain/errors';

const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/**
 * The spelling in which an address is stored and looked up: without surrounding spaces, in lower case, one form of each
 * character (NFC). Dots and `+tags` stay, because only some providers ignore them.
 *
 * @throws InvalidRequestError for an invalid address
 */
export function normaliseEmail(text: string): string {
  // NFC last: a small letter can have a form of one character where the capital one has none.
  const email = text.trim().toLowerCase().normalize('NFC');
  const [local = '', domain = ''] = email.split('@');
  const isAddress =
    /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) && !/^\.|\.$|\.\./.test(local) && !/^[.-]|[.-]$|\.\./.test(domain);
  if (!isAddress || email.length > MAX_LENGTH || local.length > MAX_LOCAL_LENGTH) {
    throw new InvalidRequestError(`"${text.slice(0, MAX_LENGTH)}" is not an e-mail address.`, 'invalid_email');
  }
  return email;
}

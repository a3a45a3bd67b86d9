/** The rule of ids that callers choose, as a part of a sentence. */
export const EXTERNAL_ID_RULE = 'must have 1 to 128 of the characters A–Z a–z 0–9 _ - . : @, and not be "." or ".."';

const ACCOUNT_ID = /^acc_/;

/** The id that a caller chose for an account. Our own ids begin with `acc_`; URLs can't have `.` and `..` as a name. */
const EXTERNAL_ACCOUNT_ID = /^(?!acc_|\.{1,2}$)[A-Za-z0-9_.:@-]{1,128}$/;

/** Whether a text can be the id that a caller chose for an account. */
export function isExternalAccountId(text: string): boolean {
  return EXTERNAL_ACCOUNT_ID.test(text);
}

/** Whether a text is an id that we gave to an account, and not one that a caller chose. */
export function isOwnAccountId(text: string): boolean {
  return ACCOUNT_ID.test(text);
}

/** The id that a caller chose for an endpoint. Our own ids begin with `ep_`. */
export const EXTERNAL_ENDPOINT_ID = /^(?!ep_|\.{1,2}$)[A-Za-z0-9_.:@-]{1,128}$/;

/** Our id of an endpoint, or one that a caller chose. */
export const ENDPOINT_NAME = new RegExp(`^ep_[0-9a-z]{26}$|${EXTERNAL_ENDPOINT_ID.source}`);

/** Whether a text is an id that a caller chose for an endpoint, and none of ours. */
export function isExternalEndpointId(text: string): boolean {
  return EXTERNAL_ENDPOINT_ID.test(text);
}

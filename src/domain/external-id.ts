/** A caller's own id of an endpoint. Ours begin with `ep_`, so that a text is never both. */
export const EXTERNAL_ID = /^(?!ep_)[A-Za-z0-9_.:@-]{1,128}$/;

/** The rule, for messages. */
export const EXTERNAL_ID_RULE = 'must have 1 to 128 of the characters A-Z a-z 0-9 _ - . : @, and not begin with "ep_"';

/** Our id of an endpoint, or a caller's own. */
export const ENDPOINT_NAME = new RegExp(`^ep_[0-9a-z]{26}$|${EXTERNAL_ID.source}`);

/** Whether a text is a caller's own id, and none of ours. */
export function isExternalId(text: string): boolean {
  return EXTERNAL_ID.test(text);
}

/** Shown instead of a header's value that is a secret. */
export const HIDDEN = '[hidden]';

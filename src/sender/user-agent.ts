/** How Everpost introduces itself to receivers: name and minor version. */
export const USER_AGENT = 'Everpost/0.1';

/** Any kind of answer will do. The OWASP core rules count a request without `Accept` against its sender. */
export const ACCEPT = '*/*';

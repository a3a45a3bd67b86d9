const PREFIX = 'svc_portal_';

/** The form of a portal session's token, published for secret scanners. */
const TOKEN = /^svc_portal_[\w-]{43}$/;
/** The form of the code behind the `#` of a portal's address. */
const CODE = /^[\w-]{43}$/;

/** Writes a token. @param random 256 random bits in base64url */
export function formatPortalToken(random: string): string {
  return `${PREFIX}${random}`;
}

/** Whether a bearer token is a portal session's, however damaged: nothing else begins like this. */
export function isForPortal(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Whether a text can be a portal session's token. */
export function isPortalToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether a text can be a code. */
export function isPortalCode(text: string): boolean {
  return CODE.test(text);
}

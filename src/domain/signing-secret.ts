const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const MAX_BYTES = 64;

/** Whether the text is a signing secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in padded base64. */
export function isSigningSecret(text: string): boolean {
  const encoded = SECRET.exec(text)?.[1];
  if (encoded === undefined) return false;
  const padding = encoded.endsWith('==') ? 2 : Number(encoded.endsWith('='));
  return (encoded.length / 4) * 3 - padding <= MAX_BYTES;
}

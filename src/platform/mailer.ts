import { createTransport } from 'nodemailer';

/** A mail in plain text. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Shorter than a notice is claimed, all together. */
const TIMEOUT_MS = 10_000;

/**
 * Sends mails by SMTP, each on a connection of its own.
 *
 * @param smtpUrl `smtp://` (upgraded to TLS if the server offers it) or `smtps://`, with or without credentials;
 *   `?requireTLS=true` sends nothing without TLS
 * @returns a function that resolves when the server has accepted a mail, and throws the reason otherwise
 */
export function createMailer(smtpUrl: string): (mail: Mail) => Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return async ({ to, ...mail }) => void (await transport.sendMail({ ...mail, to: [...to] }));
}

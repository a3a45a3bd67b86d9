import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { useFixture } from './fixture';

/** A mail as the server got it: the addresses of the envelope, and headers and text. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

/** A real SMTP server on loopback, which wants a user and a password. */
export interface MailServer {
  /** With the credentials. */
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Makes it refuse mails, or accept them again. */
  refuse(refuses: boolean): void;
  close(): Promise<void>;
}

/** Not a real secret. */
export const MAIL_PASSWORD = 'only-for-tests';

async function buildMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refuses = false;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'everpost' && password === MAIL_PASSWORD
        ? done(null, { user: username })
        : done(new Error('unknown user')),
    onData(stream, { envelope }, done) {
      void text(stream).then((raw) => {
        if (refuses) return done(new Error('the disk is full'));
        const { mailFrom, rcptTo } = envelope;
        mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), raw });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://everpost:${MAIL_PASSWORD}@127.0.0.1:${port}`,
    mails,
    refuse: (value) => (refuses = value),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Gives each test a mail server. */
export function useMailServer(): MailServer {
  return useFixture('test', buildMailServer, (server) => server.close());
}

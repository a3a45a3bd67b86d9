/** What the portal looks like, and who may frame it. The server writes it into the page. */
export interface Look {
  readonly name: string;
  /** Address of the logo. */
  readonly logo: string | null;
  /** `#rrggbb` */
  readonly color: string | null;
  /** Where to go when the session has ended. */
  readonly refresh_url: string | null;
  /** Whose pages may frame the portal, and may send it a new code. */
  readonly origins: readonly string[];
}

const PLAIN: Look = { name: 'Webhooks', logo: null, color: null, refresh_url: null, origins: [] };

/** Reads the look. On the development server, which writes none, it is a plain one. */
function readLook(): Look {
  const written = document.querySelector<HTMLMetaElement>('meta[name="portal-look"]')?.content ?? '';
  return written.startsWith('{') ? (JSON.parse(written) as Look) : PLAIN;
}

/** The look of this page. */
export const look = readLook();

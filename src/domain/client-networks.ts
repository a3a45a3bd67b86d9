/** A network that a client's calls are counted in, and how many times the share of one client all of it has. */
export interface ClientNetwork {
  readonly network: string;
  readonly share: number;
}

const CLIENT_64 = /^([0-9a-f]+):([0-9a-f]+):([0-9a-f]+):([0-9a-f]+)::\/64$/;

/**
 * The networks that a client's calls are counted in, the smallest first. Providers give a customer a /56 or a /48, which
 * has 65,536 networks of the size that counts as one client, so these count too: as two and as four clients.
 *
 * @param client as `createClientAddress` spells it; anything else is counted as itself
 */
export function networksOf(client: string): readonly ClientNetwork[] {
  const own = { network: client, share: 1 };
  const [, one, two, three, four = ''] = CLIENT_64.exec(client) ?? [];
  if (one === undefined) return [own];
  const site = `${one}:${two}:${three}`;
  const home = (Number.parseInt(four, 16) & 0xff00).toString(16);
  return [own, { network: `${site}:${home}::/56`, share: 2 }, { network: `${site}::/48`, share: 4 }];
}

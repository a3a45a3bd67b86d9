// Loaded before a role (`node --require`): its look-ups ask the name server of the matrix, as those of a machine with
// that server in /etc/resolv.conf would. Everything above the server's address is the product's own.

import promises from 'node:dns/promises';

const { CHAOS_NAME_SERVER: address = '' } = process.env;

if (address !== '') {
  const System = promises.Resolver;
  promises.Resolver = class extends System {
    constructor(options?: ConstructorParameters<typeof System>[0]) {
      super(options);
      this.setServers([address]);
    }
  };
}

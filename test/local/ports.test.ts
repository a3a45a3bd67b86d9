import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { checkPorts } from '../../dev/ports';
import { LocalStackError } from '../../dev/messages';
import { loadConfig } from '../../src/config';

/** Servers elsewhere: only the API's own port is checked. */
const ELSEWHERE = { MONGODB_URI: 'mongodb://127.0.0.1/', TEMPORAL_ADDRESS: '127.0.0.1:7233' };

describe('before npm start starts anything', () => {
  it('says that a port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(checkPorts(loadConfig({ ...ELSEWHERE, PORT: String(port) }))).rejects.toThrow(
      `Port ${port}, meant for the API, is taken. Set PORT to a free one.`,
    );
    server.close();
  });

  it('calls no port taken because HOST is an address of another machine', async () => {
    const checking = checkPorts(loadConfig({ ...ELSEWHERE, HOST: '203.0.113.1', PORT: '8080' }));
    await expect(checking).rejects.toThrow(LocalStackError);
    await expect(checking).rejects.toThrow("Port 8080 of 203.0.113.1 can't be used: listen EADDRNOTAVAIL");
  });
});

// The name server of the matrix, on loopback. What a name leads to is in the name:
//
//   <anything>.hole.test       silence
//   <n>.rebind.test            first an address that deliveries may go to, then this machine
//   <n>.mixed.test             both at once
//   <IPv4 with dashes>.v4.test, <32 hex digits>.v6.test    that address
//   <n>.healthy.test           the first healthy receiver
//   any other                  this machine

import { buildDnsServer, type DnsAnswer } from '../../sender/dns-server';
import { answerParent } from '../cluster/child';

const ALLOWED = '127.10.0.1';
const asked = new Map<string, number>();

function answer(name: string, family: 4 | 6): DnsAnswer {
  const [first = '', zone = ''] = name.toLowerCase().split('.').slice(-3);
  const here = family === 4 ? ['127.0.0.1'] : ['::1'];
  switch (zone) {
    case 'hole':
      return undefined;
    case 'rebind': {
      const count = (asked.get(`${name} ${family}`) ?? 0) + 1;
      asked.set(`${name} ${family}`, count);
      if (count > 1) return here;
      return family === 4 ? [ALLOWED] : [];
    }
    case 'mixed':
      return family === 4 ? [ALLOWED, '127.0.0.1'] : ['::1'];
    case 'v4':
      return family === 4 ? [first.replaceAll('-', '.')] : [];
    case 'v6':
      return family === 6 ? [first.match(/.{4}/g)!.join(':')] : [];
    case 'healthy':
      return family === 4 ? [ALLOWED] : [];
    default:
      return here;
  }
}

const server = buildDnsServer(answer);

answerParent(async () => ({ address: (await server).resolver.getServers()[0] }));

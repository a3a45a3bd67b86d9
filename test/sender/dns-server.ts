import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';

/** The server's answer to one question: addresses, a DNS response code, or no answer. */
export type DnsAnswer = readonly string[] | number | undefined;

export const SERVFAIL = 2;
export const NXDOMAIN = 3;

const TYPE_A = 1;

/** A real DNS server on loopback (UDP), with c-ares pointed at it. */
export async function buildDnsServer(answer: (name: string, family: 4 | 6, question: number) => DnsAnswer) {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (message, peer) => {
    const { name, type, end } = readQuestion(message);
    const family = type === TYPE_A ? 4 : 6;
    questions.push(`${name} ${family}`);
    const said = answer(name, family, questions.length);
    if (said === undefined) return;
    socket.send(writeAnswer(message.subarray(0, end), type, said), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolver,
    questions,
    close() {
      resolver.cancel();
      socket.close();
    },
  };
}

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function writeAnswer(question: Buffer, type: number, said: readonly string[] | number): Buffer {
  const addresses = typeof said === 'number' ? [] : said;
  const header = Buffer.from(question);
  header.writeUInt16BE(0x8180 | (typeof said === 'number' ? said : 0), 2);
  header.writeUInt16BE(addresses.length, 6);
  header.fill(0, 8, 12);
  const records = addresses.map((address) => {
    const bytes = type === TYPE_A ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(0, 6);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([header, ...records]);
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const parts = (text: string) => text.split(':').filter(Boolean);
  const missing = 8 - parts(head).length - parts(tail).length;
  const all = [...parts(head), ...Array<string>(address.includes('::') ? missing : 0).fill('0'), ...parts(tail)];
  return Buffer.concat(all.map((part) => Buffer.from(part.padStart(4, '0'), 'hex')));
}

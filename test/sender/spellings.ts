/** IPv4 addresses that deliveries must never reach, one or more of each special range. */
// prettier-ignore
export const FORBIDDEN_IPV4 = [
  '0.0.0.0', '10.0.0.1', '10.255.255.254', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.1.2.3', '169.254.169.254',
  '169.254.170.2', '172.16.0.1', '172.31.255.254', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.254',
  '168.63.129.16', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255',
];

/** IPv6 addresses that deliveries must never reach and that carry no IPv4 address. */
// prettier-ignore
export const FORBIDDEN_IPV6 = [
  '::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '100::1', '2001:2::1', '2001:3::1', '2001:4:112::1',
  '2001:10::1', '2001:20::1', '2001:30::1', '2001:db8::1', '2620:4f:8000::1', '3fff::1', '4000::1', '5f00::1', 'fc00::1',
  'fd00:ec2::254', 'fd12:3456:789a::1', 'fe80::1', 'febf::1', 'fec0::1', 'FF02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
];

type Octets = readonly [number, number, number, number];

const octal = (value: number) => `0${value.toString(8)}`;
const hex = (value: number) => `0x${value.toString(16)}`;
const number = ([a, b, c, d]: Octets) => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
const percentEncoded = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');
const shifted = (text: string, zero: number) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
/** ①…⑨ and ⓪, which IDNA maps to digits. */
const circled = (text: string) =>
  text.replace(/\d/g, (digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x2460 + Number(digit) - 1)));

/** The spellings of an IPv4 address as the host of a URL that parsers, resolvers and `inet_aton` understand. */
function spellIpv4(address: string): string[] {
  const octets = address.split('.').map(Number) as unknown as Octets;
  const [a, b, c, d] = octets;
  return [
    address,
    `${address}.`,
    String(number(octets)),
    hex(number(octets)),
    `0X${number(octets).toString(16).toUpperCase()}`,
    octal(number(octets)),
    `000000000${octal(number(octets))}`,
    octets.map(hex).join('.'),
    octets.map(octal).join('.'),
    octets.map((octet) => `00000${octal(octet)}`).join('.'),
    [hex(a), octal(b), c, d].join('.'),
    [a, b, (c << 8) | d].join('.'),
    [a, (b << 16) | (c << 8) | d].join('.'),
    [hex(a), hex((b << 16) | (c << 8) | d)].join('.'),
    [octal(a), octal(b), octal((c << 8) | d)].join('.'),
    shifted(address, 0xff10),
    shifted(address, 0x1d7ce),
    circled(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '｡'),
    shifted(address, 0xff10).replaceAll('.', '．'),
    percentEncoded(address),
    address.replaceAll('.', '%2e'),
    percentEncoded(shifted(address, 0xff10)),
    address.replace('.', '\u00ad.'),
    `\u200b${address}`,
    `\u2060${address}`,
  ];
}

/** The IPv6 addresses, in brackets, that carry an IPv4 address one way or another. */
export function embedIpv4(address: string): string[] {
  const [a, b, c, d] = address.split('.').map(Number) as unknown as Octets;
  const high = ((a << 8) | b).toString(16);
  const low = ((c << 8) | d).toString(16);
  const inverted = [(a << 8) | b, (c << 8) | d].map((part) => (part ^ 0xffff).toString(16)).join(':');
  return [
    `[::ffff:${address}]`,
    `[::FFFF:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[0000:0000:0000:0000:0000:ffff:${address}]`,
    `[::${address}]`,
    `[::${high}:${low}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[64:ff9b:1:${high}:${low}::]`,
    `[2002:${high}:${low}::]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`,
    `[2001::${inverted}]`,
    `[2606:4700::5efe:${high}:${low}]`,
    `[2606:4700::200:5efe:${high}:${low}]`,
  ];
}

/** Names that mean this machine or a metadata service, and what hides a host from a hasty reader. */
// prettier-ignore
const TRICKS = [
  'https://localhost:PORT/', 'https://LOCALHOST:PORT/', 'https://localhost.:PORT/', 'https://LocalHost.:PORT/',
  'https://a.localhost:PORT/', 'https://a.b.localhost.:PORT/', 'https://ｌｏｃａｌｈｏｓｔ:PORT/', 'https://ⓛocalhost:PORT/',
  'https://local%68ost:PORT/', 'https://%6c%6f%63%61%6c%68%6f%73%74:PORT/', 'https://loc\u00adalhost:PORT/',
  'https://localhost.localdomain:PORT/', 'https://ip6-localhost:PORT/', 'https://ip6-loopback:PORT/',
  'https://metadata.google.internal:PORT/computeMetadata/v1/', 'https://METADATA.GOOGLE.INTERNAL.:PORT/', 'https://metadata.goog:PORT/',
  'https://instance-data.ec2.internal:PORT/',
  'https://good.example@127.0.0.1:PORT/', 'https://good.example:443@127.0.0.1:PORT/', 'https://127.0.0.1:PORT@good.example/',
  'https://good.example%40127.0.0.1:PORT/', 'https://good.example%00.127.0.0.1:PORT/', 'https://good.example#@127.0.0.1:PORT/',
  'https://127.0.0.1:PORT#@good.example/', 'https://127.0.0.1:PORT\\@good.example/', 'https://good.example\\@127.0.0.1:PORT/',
  'https:\\\\127.0.0.1:PORT\\', 'https:/127.0.0.1:PORT/', 'https:127.0.0.1:PORT/', 'https:///127.0.0.1:PORT/', '//127.0.0.1:PORT/',
  'https://@127.0.0.1:PORT/', 'https://:@127.0.0.1:PORT/', 'https://127.0.0.1:PORT/?@good.example/', 'https://127.0.0.1:PORT/#',
  'https://127.0.0.1:PORT/..;@good.example', ' https://127.0.0.1:PORT/', 'https://127.0.0.1:PORT/ ', 'ht\ntps://127.0.0.1:PORT/',
  'https://127.0.\t0.1:PORT/', 'https://127.0.0.1%09:PORT/', 'https://127.0.0.1%20:PORT/', 'https://127.0.0.1&@good.example:PORT/',
  'http://127.0.0.1:PORT/', 'HTTP://127.0.0.1:PORT/', 'ftp://127.0.0.1:PORT/', 'ws://127.0.0.1:PORT/', 'gopher://127.0.0.1:PORT/_x',
  'file:///etc/passwd', 'file://127.0.0.1:PORT/', 'data:text/html,x', 'javascript:fetch("//127.0.0.1:PORT")',
  'jar:https://127.0.0.1:PORT!/', 'view-source:https://127.0.0.1:PORT/', 'unix:/var/run/docker.sock',
  'https://[fe80::1%25eth0]:PORT/', 'https://[fe80::1%eth0]:PORT/', 'https://[::1%25lo]:PORT/', 'https://[::1%lo]:PORT/', 'https://[::1%1]:PORT/',
  'https://[::1].:PORT/', 'https://[::1]x:PORT/', 'https://::1:PORT/', 'https://[127.0.0.1]:PORT/', 'https://[::127.0.0.256]:PORT/',
  'https://[v1.127.0.0.1]:PORT/', 'https://127.0.0.1.1:PORT/', 'https://127.0.0.256:PORT/', 'https://0:PORT/', 'https://00:PORT/', 'https://0x:PORT/',
  'https://0.0:PORT/', 'https://4294967296:PORT/', 'https://127.16777216:PORT/', 'https://0x100000000:PORT/', 'https://127..0.0.1:PORT/',
  'https://.127.0.0.1:PORT/', 'https://127.0.0.1..:PORT/', 'https://127.0.0.0x1:PORT/', 'https://127.00.00.01:PORT/', 'https://0177.1:PORT/',
];

/** The whole corpus, at one port. */
export function forbiddenUrls(port: number): string[] {
  const hosts = [
    ...FORBIDDEN_IPV4.flatMap((address) => [...spellIpv4(address), ...embedIpv4(address)]),
    ...FORBIDDEN_IPV6.map((address) => `[${address}]`),
  ];
  return [
    ...hosts.map((host) => `https://${host}:${port}/hook`),
    ...TRICKS.map((trick) => trick.replaceAll('PORT', String(port))),
  ];
}

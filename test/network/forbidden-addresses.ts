/** Addresses that webhooks must not reach, and the ways to write them. */

export const FORBIDDEN_IPV4 = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

export const FORBIDDEN_IPV6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'FE80::ABCD',
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001::1',
  '2001:10::1',
  '2001:db8::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  '64:ff9b:1::1',
];

const hex = (number: number) => number.toString(16);
const octal = (number: number) => `0${number.toString(8)}`;
const fullWidth = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
const percentEncoded = (text: string) => text.replaceAll(/\d/g, (digit) => `%${hex(digit.charCodeAt(0))}`);

/** Spellings of an IPv4 address that URLs allow. */
function spellingsOfIpv4(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  return [
    address,
    `${address}.`,
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    [a, b, c, d].map((part) => `0X${hex(part).toUpperCase().padStart(6, '0')}`).join('.'),
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((part) => `000${octal(part)}`).join('.'),
    `${a}.0x${hex(b)}.${octal(c)}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${hex(a)}.0x${hex((b * 256 + c) * 256 + d)}`,
    `${octal(a)}.${octal((b * 256 + c) * 256 + d)}`,
    String(number),
    `0x${hex(number)}`,
    octal(number),
    fullWidth(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    percentEncoded(address),
    ...ipv6FormsOf(address).map((form) => `[${form}]`),
  ];
}

/** IPv6 addresses that contain an IPv4 address. */
export function ipv6FormsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)];
  return [
    `::ffff:${address}`,
    `::FFFF:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `::${address}`,
    `::ffff:0:${address}`,
    `64:ff9b::${address}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::1`,
  ];
}

/** Hosts of URLs that lead to forbidden addresses without a lookup. */
export const FORBIDDEN_HOSTS: readonly string[] = [
  ...FORBIDDEN_IPV4.flatMap(spellingsOfIpv4),
  ...FORBIDDEN_IPV6.map((address) => `[${address}]`),
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌocalhost',
  'loc%61lhost',
  'receiver.localhost',
];

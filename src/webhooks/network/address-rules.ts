import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

type Network = [address: IPv4 | IPv6, prefix: number];

/** Sources: IANA's registries of special-purpose addresses (RFC 6890), and documents of cloud providers. */
const SPECIAL_NETWORKS: Readonly<Record<string, readonly string[]>> = {
  'unspecified address': ['0.0.0.0/8', '::/128'],
  'loopback network': ['127.0.0.0/8', '::1/128'],
  'private network': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  'link-local network': ['169.254.0.0/16', 'fe80::/10'],
  'shared network of a provider': ['100.64.0.0/10'],
  // Azure's metadata service. The metadata services of other providers are in the networks above.
  'metadata service': ['168.63.129.16/32'],
  'network for protocols': ['192.0.0.0/24', '2001::/23', '5f00::/16'],
  'network for anycast services': [
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.175.48.0/24',
    '2620:4f:8000::/48',
  ],
  'network for documentation': [
    '192.0.2.0/24',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '2001:db8::/32',
    '3fff::/20',
  ],
  'network for benchmarks': ['198.18.0.0/15'],
  'multicast network': ['224.0.0.0/4', 'ff00::/8'],
  'IPv4 address inside an IPv6 address': [
    '::ffff:0:0/96',
    '::ffff:0:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2002::/16',
    '::/96',
  ],
  'reserved network': ['240.0.0.0/4', '100::/64', '100:0:0:1::/64', '3ffe::/16'],
};

/** Source: RFC 4291, section 2.4. */
const GLOBAL_UNICAST = parseNetwork('2000::/3');

/** Addresses in these IPv6 networks end with the IPv4 address that they reach. RFC 4291, 6052, 2765. */
const TRANSLATED = ['::ffff:0:0/96', '64:ff9b::/96', '::ffff:0:0:0/96'].map(parseNetwork);

const RULES = Object.entries(SPECIAL_NETWORKS).flatMap(([rule, networks]) =>
  networks.map((network) => ({ rule, network: parseNetwork(network) })),
);

function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isWithin(address: IPv4 | IPv6, [network, prefix]: Network): boolean {
  // Addresses of different kinds cannot be compared.
  return address.kind() === network.kind() && address.match(network, prefix);
}

function specialRule(address: IPv4 | IPv6): string | undefined {
  const special = RULES.find(({ network }) => isWithin(address, network))?.rule;
  if (special !== undefined || address.kind() === 'ipv4') return special;
  return isWithin(address, GLOBAL_UNICAST) ? undefined : 'reserved network';
}

function translatedAddress(address: IPv4 | IPv6): IPv4 | undefined {
  if (!TRANSLATED.some((network) => isWithin(address, network))) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/** Returns the rule, such as `private network`. */
export type ForbiddenBy = (address: string) => string | undefined;

/** Allows public unicast addresses and `networks`, which are IP addresses or CIDR ranges. */
export function addressRules(networks: readonly string[]): ForbiddenBy {
  const allowed = networks.map(parseNetwork);
  const forbiddenBy = (address: IPv4 | IPv6): string | undefined => {
    if (!allowed.some((network) => isWithin(address, network))) return specialRule(address);
    // If an allowed IPv6 address stands for an IPv4 address, the IPv4 address must be allowed too.
    const translated = translatedAddress(address);
    return translated === undefined ? undefined : forbiddenBy(translated);
  };
  return (text) => (isIP(text) === 0 ? 'not an IP address' : forbiddenBy(ipaddr.parse(text)));
}

import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** An address with a port, or an IPv6 address in brackets. Some proxies write these forms. */
const DECORATED = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

/** A /64 network: a caller with one IPv6 address has all 2^64 addresses of its network. Source: RFC 6177. */
const IPV6_NETWORK_PARTS = 4;

/** Returns the address in its canonical form. An IPv4-mapped IPv6 address becomes an IPv4 address. */
export function callerAddress(request: FastifyRequest): string {
  return addressOf(request)?.toString() ?? 'unknown';
}

export function callerNetwork(request: FastifyRequest): string {
  const address = addressOf(request);
  return address === undefined ? 'unknown' : networkOf(address);
}

export function peerNetwork(remoteAddress: string): string {
  return networkOf(parseAddress(remoteAddress));
}

/** `hop` is a peer or an entry of X-Forwarded-For. */
export function proxyMatcher(ranges: readonly string[]): (hop: string) => boolean {
  const list = new BlockList();
  const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (hop) => {
    const address = addressOfHop(hop);
    return address !== undefined && list.check(address, familyOf(address));
  };
}

function addressOfHop(hop: string): string | undefined {
  const [, bracketed, bare] = DECORATED.exec(hop) ?? [];
  const text = bracketed ?? bare ?? hop;
  return isIP(text) === 0 ? undefined : text;
}

function parseAddress(text: string): IPv4 | IPv6 {
  return ipaddr.process(text.replace(/%.*$/, ''));
}

function networkOf(address: IPv4 | IPv6): string {
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as IPv6).parts.slice(0, IPV6_NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** If a proxy forwards no address, its callers are counted together, under the proxy's address. */
function addressOf(request: FastifyRequest): IPv4 | IPv6 | undefined {
  // `ips` begins with the peer and ends with the first address that is not a trusted proxy.
  const hops = request.ips ?? [request.ip];
  for (const hop of hops.toReversed()) {
    // `hop` is undefined if the connection is already closed.
    const address = addressOfHop(hop ?? '');
    if (address !== undefined) return parseAddress(address);
  }
  return undefined;
}

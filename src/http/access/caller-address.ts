import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** An address with a port, or an IPv6 address in brackets, as some proxies write them. */
const DECORATED = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

/** Of an IPv6 address, its network: whoever has one address has 2^64 of them. Source: RFC 6177. */
const NETWORK_PARTS = 4;

/** The address of a request's caller, in one form: an IPv4 address that is mapped into IPv6 is that IPv4 address. */
export function callerAddress(request: FastifyRequest): string {
  return addressOf(request)?.toString() ?? 'unknown';
}

/** What the caller's failures are counted under: an IPv4 address, or the /64 network of an IPv6 address. */
export function callerNetwork(request: FastifyRequest): string {
  const address = addressOf(request);
  return address === undefined ? 'unknown' : networkOf(address);
}

/** The network of a connection's other end, which may be a proxy. */
export function peerNetwork(remoteAddress: string): string {
  return networkOf(parseAddress(remoteAddress));
}

/** Without the zone of an IPv6 address: interfaces have names, such as br-lan, that ipaddr.js takes for no zone. */
function parseAddress(text: string): IPv4 | IPv6 {
  return ipaddr.process(text.replace(/%.*$/, ''));
}

function networkOf(address: IPv4 | IPv6): string {
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as IPv6).parts.slice(0, NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** A proxy may forward what is no address. Then the proxy stands for its callers, so that each does not get a count of its own. */
function addressOf(request: FastifyRequest): IPv4 | IPv6 | undefined {
  // From the peer of the connection to the first one that no trusted proxy vouches for; absent where no proxy is trusted.
  const hops = request.ips ?? [request.ip];
  for (const hop of hops.toReversed()) {
    // Of a connection that is already closed, Node gives no address.
    const [, bracketed, bare] = DECORATED.exec(hop ?? '') ?? [];
    const text = bracketed ?? bare ?? hop ?? '';
    if (isIP(text) !== 0) return parseAddress(text);
  }
  return undefined;
}

import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ForbiddenBy } from './address-rules.ts';
import { NOT_RESOLVED, NoConnection } from './explain-failure.ts';

/** Throws: an error with a code of node:dns. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>;

export interface CheckedAddress {
  address: string;
  family: 4 | 6;
}

export type ResolveHost = (host: string, signal: AbortSignal) => Promise<CheckedAddress[]>;

class AddressForbidden extends NoConnection {
  constructor(rule: string) {
    super(`the address of the host is not public: ${rule}`);
  }
}

class NameNotResolved extends NoConnection {}

const DNS_TIMEOUT_MS = 2000;
const DNS_TRIES = 2;

/** How long to wait for IPv6 after IPv4 was found, or the reverse. Some resolvers drop IPv6 queries. */
const OTHER_FAMILY_MS = 250;

/** Replaces the system's lookup, which has few threads: a few slow servers would block all other names. */
export const resolveByDns: ResolveName = (name, signal) =>
  // Each name has its own resolver, because cancelling ends all queries of a resolver.
  resolveWith(new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES }), name, signal);

export async function resolveWith(resolver: Resolver, name: string, signal: AbortSignal): Promise<string[]> {
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  const found: string[][] = [[], []];
  const lookups = [resolver.resolve4(name), resolver.resolve6(name)].map(async (lookup, family) => {
    found[family] = await lookup;
  });
  try {
    const all = Promise.allSettled(lookups);
    const first = Promise.any(lookups).catch(() => all);
    await Promise.race([all, first.then(() => delay(OTHER_FAMILY_MS, undefined, { ref: false }))]);
    const addresses = found.flat();
    if (addresses.length > 0) return addresses;
    const reasons = (await all).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    throw reasons.find((reason) => !isAbsent(reason)) ?? reasons[0];
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

const isAbsent = (reason: unknown) =>
  ['ENOTFOUND', 'ENODATA'].includes((reason as NodeJS.ErrnoException)?.code ?? '');

/** True if a name always means this machine, without DNS. Source: RFC 6761, section 6.3. */
export const isLocalhost = (host: string) => /^(?:.+\.)?localhost\.?$/i.test(host);

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

/** A host with one forbidden address is refused, because the next lookup may return only that address. */
export function createHostResolver(forbiddenBy: ForbiddenBy, resolveName: ResolveName): ResolveHost {
  const addressesOf = async (host: string, signal: AbortSignal): Promise<string[]> => {
    if (isIP(host) !== 0) return [host];
    if (isLocalhost(host)) return allowedLoopback(forbiddenBy);
    return resolveName(host, signal).catch((reason) => {
      throw new NameNotResolved(isAbsent(reason) ? 'the name of the host has no address' : NOT_RESOLVED);
    });
  };
  return async (host, signal) => {
    const addresses = await addressesOf(host, signal);
    if (addresses.length === 0) throw new NameNotResolved('the name of the host has no address');
    for (const address of addresses) {
      const rule = forbiddenBy(address);
      if (rule !== undefined) throw new AddressForbidden(rule);
    }
    return addresses.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
  };
}

function allowedLoopback(forbiddenBy: ForbiddenBy): string[] {
  const allowed = LOOPBACK_ADDRESSES.filter((address) => forbiddenBy(address) === undefined);
  return allowed.length > 0 ? allowed : LOOPBACK_ADDRESSES;
}

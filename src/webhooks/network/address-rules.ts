import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { isWithin, parseNetwork, specialRule, translatedAddress } from './special-networks.ts';

/** The name of the rule that forbids an address, such as `private network`; undefined if it may be connected to. */
export type ForbiddenBy = (address: string) => string | undefined;

/**
 * The rules for addresses: public unicast addresses are allowed, and those of the given networks, each an IP address or a
 * CIDR range.
 */
export function addressRules(networks: readonly string[]): ForbiddenBy {
  const allowed = networks.map(parseNetwork);
  const forbiddenBy = (address: IPv4 | IPv6): string | undefined => {
    if (!allowed.some((network) => isWithin(address, network))) return specialRule(address);
    // A gateway of an allowed network must not lead to an IPv4 address that is not allowed.
    const translated = translatedAddress(address);
    return translated === undefined ? undefined : forbiddenBy(translated);
  };
  return (text) => (isIP(text) === 0 ? 'not an IP address' : forbiddenBy(ipaddr.parse(text)));
}

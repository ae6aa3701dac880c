import { isIP } from 'node:net';
import { URL_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import type { ForbiddenBy } from './address-rules.ts';
import { isLocalhost } from './resolve-host.ts';

interface UrlRules {
  allowsHttp: boolean;
  forbiddenBy: ForbiddenBy;
}

/** Returns a text such as `must begin with https://`. Host names are resolved and checked later. */
export function explainWebhookUrl(text: string, { allowsHttp, forbiddenBy }: UrlRules): string | undefined {
  if (text.length > URL_MAX_CHARACTERS)
    return `has ${text.length} characters; at most ${URL_MAX_CHARACTERS} are allowed`;
  const begins = allowsHttp ? 'https:// or http://' : 'https://';
  const [, scheme] = /^(https?):\/\//i.exec(text) ?? [];
  if (scheme === undefined || (scheme.toLowerCase() === 'http' && !allowsHttp))
    return `must begin with ${begins}${ownMachine(text)}`;
  const url = parseUrl(text);
  if (url === null) return `is not a URL; write it as ${allowsHttp ? 'http' : 'https'}://HOST/PATH`;
  if (url.username !== '' || url.password !== '')
    return 'must have no user name and no password; receivers verify the signature of each delivery';
  if (text.includes('#')) return 'must have no fragment, which is never sent';
  const rule = ruleOfHost(hostOf(url), forbiddenBy);
  return rule && `has a host whose address is not public: ${rule}${ownMachine(text)}`;
}

const ownMachine = (text: string): string =>
  /^https?:\/\/(localhost|127\.|\[::1\])/i.test(text)
    ? '; for a receiver on your own machine, run transactions webhooks listen'
    : '';

/** node:net expects an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** The name of a host in TLS: without a final dot, and empty for an address. Source: RFC 6066, section 3. */
export const serverNameOf = (host: string): string => (isIP(host) === 0 ? host.replace(/\.$/, '') : '');

/** Refuses texts that parsers read differently: URL.parse drops spaces and takes a backslash as a slash. */
const parseUrl = (text: string) => (/[\p{Cc}\s\\]/u.test(text) ? null : URL.parse(text));

function ruleOfHost(host: string, forbiddenBy: ForbiddenBy): string | undefined {
  if (isIP(host) !== 0) return forbiddenBy(host);
  return isLocalhost(host) ? forbiddenBy('127.0.0.1') && forbiddenBy('::1') : undefined;
}

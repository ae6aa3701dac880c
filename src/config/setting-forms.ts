import { isIP } from 'node:net';
import { quote } from '../../values/quote.ts';

/** Each fault completes a sentence that begins with the name of the setting. */
type Parsed<Value> = { value: Value } | { faults: string[] };

export interface Form<Value> {
  form: string;
  bounds: string;
  parse(text: string): Parsed<Value>;
}

export const HOST: Form<string> = {
  form: 'host name or IP address',
  bounds: 'an address of this machine',
  parse: (text) =>
    /^[A-Za-z0-9.:_-]{1,253}$/.test(text)
      ? { value: text }
      : { faults: [`is ${quote(text)}, which is neither a host name nor an IP address`] },
};

export function wholeNumberForm(unit: string, least: number, most: number, remark = ''): Form<number> {
  return {
    form: unit,
    bounds: `${least} to ${most}${remark}`,
    parse: (text) => {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= least && value <= most) return { value };
      return {
        faults: [`is ${quote(text)}, which is not a whole number from ${least} to ${most} (${unit})`],
      };
    },
  };
}

export const PORT = wholeNumberForm('TCP port', 0, 65_535, '; 0 takes any free port');

export function orOff<Value>({ form, bounds, parse }: Form<Value>): Form<Value | null> {
  return {
    form: `\`off\`, or ${form}`,
    bounds,
    parse: (text) => {
      if (text === 'off') return { value: null };
      const parsed = parse(text);
      return 'value' in parsed ? parsed : { faults: parsed.faults.map((fault) => `${fault}, or off`) };
    },
  };
}

/** `perSecond` is the average. After a pause, `burst` requests are admitted at once. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export function rate(burstSeconds: number): Form<RateLimit | null> {
  const number = wholeNumberForm('requests a second', 1, 1_000_000);
  return orOff({
    ...number,
    parse: (text) => {
      const parsed = number.parse(text);
      if ('faults' in parsed) return parsed;
      return { value: { perSecond: parsed.value, burst: parsed.value * burstSeconds } };
    },
  });
}

export function oneOf<const Word extends string>(words: readonly Word[]): Form<Word> {
  return {
    form: 'word',
    bounds: words.join(', '),
    parse: (text) => {
      const word = words.find((known) => known === text);
      return word === undefined
        ? { faults: [`is ${quote(text)}, which is not one of ${words.join(', ')}`] }
        : { value: word };
    },
  };
}

export function checked(
  form: string,
  bounds: string,
  explain: (text: string) => string | undefined,
): Form<string> {
  return {
    form,
    bounds,
    parse: (text) => {
      const fault = explain(text);
      return fault === undefined ? { value: text } : { faults: [fault] };
    },
  };
}

export function listOf(
  entries: string,
  bounds: string,
  explain: (entry: string, index: number, all: readonly string[]) => string | undefined,
  separator: string | RegExp = ',',
): Form<readonly string[]> {
  return {
    form: `list of ${entries}, separated by commas`,
    bounds,
    parse: (text) => {
      const values = text.split(separator).map((entry) => entry.trim());
      const faults = values.map(explain).filter((fault) => fault !== undefined);
      return faults.length > 0 ? { faults } : { value: values };
    },
  };
}

function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  // An IPv6 zone has a meaning only on one machine, so it is refused.
  if (version === 0 || rest.length > 0 || address.includes('%')) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

export const NETWORK_LIST = listOf('IP addresses and CIDR ranges', 'for example 10.0.0.0/8,::1', (range) =>
  isAddressRange(range) ? undefined : `contains ${quote(range)}, which is not an IP address or CIDR range`,
);

/** URL.parse would remove or replace spaces, control characters and backslashes, so they are refused. */
const parseUrl = (text: string): URL | null =>
  /^https?:\/\/[^\p{Cc}\s\\]+$/iu.test(text) ? URL.parse(text) : null;

export function explainBrowserUrl(text: string): string | undefined {
  const url = parseUrl(text);
  const isLocal = url !== null && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    return 'is not a URL that begins with https://, or http:// with localhost, 127.0.0.1 or [::1]';
  return url.username !== '' || url.password !== '' || url.hash !== ''
    ? 'has a user, a password or a fragment; remove them'
    : undefined;
}

export const BROWSER_URL = checked('URL', 'https://, or http:// on this machine', explainBrowserUrl);

/** The page requests its files and /v1 from the root of its host, so a path is refused. */
export const PAGE_URL = checked('URL', 'https://, or http:// on this machine; without a path', (text) => {
  const fault = explainBrowserUrl(text);
  if (fault !== undefined) return fault;
  const { origin, pathname } = new URL(text);
  return pathname === '/' && !/[?#]/.test(text)
    ? undefined
    : `has a path, a query or a fragment, and the page is at the root of its host; write ${origin}/`;
});

export const SERVICE_URL = checked('URL', 'http:// or https://; without /v1', (text) => {
  const url = parseUrl(text);
  if (url === null) return 'is not a URL, such as https://transactions.example';
  const { username, password, origin, pathname } = url;
  const base = pathname.replace(/(?:\/v1)?\/*$/, '');
  return username + password === '' && !/[?#]/.test(text) && !/\/v1\/*$/.test(pathname)
    ? undefined
    : `must have no user, password, query or fragment, and no /v1 at its end, because the client adds /v1; write ${origin}${base}`;
});

function explainProxyUrl(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === null || url.pathname !== '/' || /[?#]/.test(text))
    return 'is not a URL such as http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, without a path; percent-encode special characters of the password, such as %40 for @';
  try {
    for (const part of [url.username, url.password]) decodeURIComponent(part);
    return undefined;
  } catch {
    return 'has a user name or password with a % that begins no encoded character; write %25 for %';
  }
}

export const PROXY_URL = checked(
  'URL',
  'http:// or https://, with USER:PASSWORD@ if the proxy requires it, HOST and PORT',
  explainProxyUrl,
);

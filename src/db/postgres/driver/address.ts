import { nearest } from '../../../../values/nearest.ts';
import { quote } from '../../../../values/quote.ts';

export interface PostgresAddress {
  /** One address for each host, in the order given, without the parameter `options`. */
  urls: readonly string[];
  options: string;
}

export const POSTGRES_SCHEME = /^postgres(?:ql)?:\/\//;

/** A password may contain an unescaped @. */
const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^@/?#]*)\/([^/?#]+)(?:\?([^#]*))?$/;

/** The returned fault never contains the password. */
export function explainPostgresUrl(url: string): string | undefined {
  const form = 'write postgres://USER:PASSWORD@HOST:PORT/DATABASE';
  if (!PARTS.test(url)) return `is not the address of a PostgreSQL database; ${form}`;
  for (const hostUrl of parsePostgresUrl(url).urls) {
    try {
      const { username, password, pathname } = new URL(hostUrl);
      for (const part of [username, password, pathname]) decodeURIComponent(part);
    } catch {
      return `is not the address of a PostgreSQL database; ${form}, with every special character of the password as %XX`;
    }
  }
  return explainParameters(parametersOf(url));
}

const PARAMETERS: ReadonlyMap<string, readonly string[] | null> = new Map([
  ['host', null],
  ['port', null],
  ['user', null],
  ['password', null],
  ['application_name', null],
  ['options', null],
  ['sslmode', ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']],
  ['sslcert', null],
  ['sslkey', null],
  ['sslrootcert', null],
  ['sslnegotiation', ['postgres', 'direct']],
  ['uselibpqcompat', ['true']],
]);

const parametersOf = (url: string) => new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? '');

/** Refuses unknown parameters, because ignoring a misspelt `sslmode` could mean plain text. */
function explainParameters(parameters: URLSearchParams): string | undefined {
  for (const [name, value] of parameters) {
    const values = PARAMETERS.get(name);
    if (values === undefined)
      return `has the unknown parameter ${quote(name)}${suggest(name, [...PARAMETERS.keys()])}`;
    if (parameters.getAll(name).length > 1) return `has the parameter ${name} twice`;
    if (values !== null && !values.includes(value))
      return `has the parameter ${name} with the unknown value ${quote(value)}${suggest(value, values)}`;
  }
  return undefined;
}

function suggest(text: string, known: readonly string[]): string {
  const meant = nearest(text, known);
  return meant === undefined ? `; known are ${known.join(', ')}` : `; did you mean ${meant}?`;
}

/** pg 8 treats these modes like verify-full, but pg 9 will not. So the service writes verify-full instead. */
const isVerifiedFully = (parameters: URLSearchParams) =>
  ['prefer', 'require', 'verify-ca'].includes(parameters.get('sslmode') ?? '') &&
  !parameters.has('uselibpqcompat');

/** Several hosts, separated by commas, are a primary and the standbys that can replace it. */
export function parsePostgresUrl(url: string): PostgresAddress {
  const [, scheme, user, hosts = '', database, query = ''] = PARTS.exec(url) ?? [];
  if (scheme === undefined) throw new Error('the database address was not checked');
  const parameters = new URLSearchParams(query);
  const options = parameters.get('options') ?? '';
  parameters.delete('options');
  if (isVerifiedFully(parameters)) parameters.set('sslmode', 'verify-full');
  const tail = `/${database}${parameters.size > 0 ? `?${parameters}` : ''}`;
  const urls = hosts
    .split(',')
    .map((host) => `${scheme}${user === undefined ? '' : `${user.replaceAll('@', '%40')}@`}${host}${tail}`);
  return { urls, options };
}

export function maskPostgresUrl(url: string): string {
  return addressOfUser(url, userOf(url));
}

const userOf = (url: string) => PARTS.exec(url)?.[2]?.split(':')[0];

function addressOfUser(url: string, user: string | undefined): string {
  const [, scheme, , hosts, database] = PARTS.exec(url) ?? [];
  if (scheme === undefined) return 'postgres://...';
  return `${scheme}${user === undefined ? '' : `${user}@`}${hosts}/${database}`;
}

/** Programs such as pg_dump accept these parameters too. None of them is a secret. */
const PARAMETERS_OF_PROGRAMS: ReadonlySet<string> = new Set([
  'host',
  'port',
  'user',
  'sslmode',
  'sslcert',
  'sslkey',
  'sslrootcert',
]);

/** For programs such as pg_dump, returns the address of the primary, without the password. */
export function addressForPrograms(url: string, otherUser?: string): { address: string; user: string } {
  const parameters = parametersOf(url);
  const user = parameters.get('user') ?? decodeURIComponent(userOf(url) ?? '');
  if (otherUser !== undefined) parameters.delete('user');
  for (const name of [...parameters.keys()]) if (!PARAMETERS_OF_PROGRAMS.has(name)) parameters.delete(name);
  if (parsePostgresUrl(url).urls.length > 1) parameters.set('target_session_attrs', 'read-write');
  const address = addressOfUser(url, otherUser ?? userOf(url));
  return { address: `${address}${parameters.size > 0 ? `?${parameters}` : ''}`, user };
}

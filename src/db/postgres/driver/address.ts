import { nearest } from '../../../../values/nearest.ts';
import { quote } from '../../../../values/quote.ts';

/** The address of a PostgreSQL database, parsed as far as the service needs it. */
export interface PostgresAddress {
  /** One address for each host, in the order given, without the options of the session. */
  urls: readonly string[];
  /** The options of the session, or an empty text. */
  options: string;
}

export const POSTGRES_SCHEME = /^postgres(?:ql)?:\/\//;

/** Scheme, user with password, hosts, database, parameters. A password may contain an unescaped @. */
const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^@/?#]*)\/([^/?#]+)(?:\?([^#]*))?$/;

/** Why a text is not the address of a PostgreSQL database, or undefined. Never contains the password. */
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

/**
 * The parameters that the service passes on to pg or the server, each with its possible values if they are
 * few.
 */
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

/** Unknown parameters are refused: if a misspelt one were ignored, everything could be sent in plain text. */
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

/** pg also treats these modes as verify-full, but warns that its next major version will not. */
const isVerifiedFully = (parameters: URLSearchParams) =>
  ['prefer', 'require', 'verify-ca'].includes(parameters.get('sslmode') ?? '') &&
  !parameters.has('uselibpqcompat');

/**
 * Parses an address. Several hosts, separated by commas, are a server and the standbys that can replace it.
 */
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

/** The address without its password and parameters, for logs and error texts. */
export function maskPostgresUrl(url: string): string {
  return addressOfUser(url, userOf(url));
}

const userOf = (url: string) => PARTS.exec(url)?.[2]?.split(':')[0];

function addressOfUser(url: string, user: string | undefined): string {
  const [, scheme, , hosts, database] = PARTS.exec(url) ?? [];
  if (scheme === undefined) return 'postgres://...';
  return `${scheme}${user === undefined ? '' : `${user}@`}${hosts}/${database}`;
}

/** The parameters of an address that PostgreSQL's own programs know too, without secrets. */
const PARAMETERS_OF_PROGRAMS: ReadonlySet<string> = new Set([
  'host',
  'port',
  'user',
  'sslmode',
  'sslcert',
  'sslkey',
  'sslrootcert',
]);

/**
 * The address for PostgreSQL's own programs, such as pg_dump: without its password, with parameters that
 * choose the primary among several hosts, and with another user if one is given.
 */
export function addressForPrograms(url: string, otherUser?: string): { address: string; user: string } {
  const parameters = parametersOf(url);
  const user = parameters.get('user') ?? decodeURIComponent(userOf(url) ?? '');
  if (otherUser !== undefined) parameters.delete('user');
  for (const name of [...parameters.keys()]) if (!PARAMETERS_OF_PROGRAMS.has(name)) parameters.delete(name);
  if (parsePostgresUrl(url).urls.length > 1) parameters.set('target_session_attrs', 'read-write');
  const address = addressOfUser(url, otherUser ?? userOf(url));
  return { address: `${address}${parameters.size > 0 ? `?${parameters}` : ''}`, user };
}

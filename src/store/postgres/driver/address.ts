/** Where a PostgreSQL database is: its address, taken apart as far as we need it. */
export interface PostgresAddress {
  /** One address for each host, in the order given. The options of the session are taken out of them. */
  urls: readonly string[];
  /** Options of the session that the address brings along, or an empty text. */
  options: string;
}

export const POSTGRES_SCHEME = /^postgres(?:ql)?:\/\//;

/** Scheme, user with password, hosts, database, parameters. A password may hold an @ that is not escaped. */
const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^@/?#]*)\/([^/?#]+)(?:\?([^#]*))?$/;

/** Why a text is no address of a PostgreSQL database, or undefined where it is one. The password is never told. */
export function explainPostgresUrl(url: string): string | undefined {
  const form = 'write postgres://USER:PASSWORD@HOST:PORT/DATABASE';
  if (!PARTS.test(url)) return `is no address of a PostgreSQL database; ${form}`;
  for (const one of parsePostgresUrl(url).urls) {
    try {
      const { username, password, pathname } = new URL(one);
      for (const part of [username, password, pathname]) decodeURIComponent(part);
    } catch {
      return `is no address of a PostgreSQL database; ${form}, with every special character of the password as %XX`;
    }
  }
  return undefined;
}

/** Takes an address apart. Several hosts, separated by commas, are a server and those that may take its place. */
export function parsePostgresUrl(url: string): PostgresAddress {
  const [, scheme, user, hosts = '', database, query = ''] = PARTS.exec(url) ?? [];
  if (scheme === undefined) throw new Error('the database address was not checked');
  const parameters = new URLSearchParams(query);
  const options = parameters.get('options') ?? '';
  parameters.delete('options');
  const tail = `/${database}${parameters.size > 0 ? `?${parameters}` : ''}`;
  const urls = hosts
    .split(',')
    .map((host) => `${scheme}${user === undefined ? '' : `${user.replaceAll('@', '%40')}@`}${host}${tail}`);
  return { urls, options };
}

/** The address without what only its reader may know, for logs and sentences. */
export function maskPostgresUrl(url: string): string {
  const [, scheme, user, hosts, database] = PARTS.exec(url) ?? [];
  if (scheme === undefined) return 'postgres://...';
  const name = user?.split(':')[0];
  return `${scheme}${name === undefined ? '' : `${name}@`}${hosts}/${database}`;
}

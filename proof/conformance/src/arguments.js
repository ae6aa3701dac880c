import { parseArgs } from 'node:util';
import { CHECKS } from './checks/index.js';
import { isMatch } from './is-match.js';
import { LEVELS } from './levels.js';
import { isPlain } from './run.js';

export class UsageError extends Error {}

export const USAGE = `Usage: transactions-conformance --url URL --key KEY [options]

Checks a deployment of the transactions interface from outside.

  --url URL            base address of the deployment: whatever comes before /v1
  --key KEY            an API key; with it alone, nothing is written
  --second-key KEY     a key of another account, to check that accounts see nothing of each other
  --operator-url URL   base address of the operator's interface
  --operator-key KEY   with it (scopes record and keys), transactions are recorded into new accounts
                       named conformance-...
  --allow-http         sends keys to http:// of another machine too, although others on the network could read them
  --level NAMES        only these parts of SPEC.md: list (enough for a service that only lists), ${LEVELS.slice(1, 4).join(', ')},
                       ${LEVELS.slice(4).join(', ')}; by default all that the keys allow
  --only IDS           only these checks, separated by commas; list.* stands for all that begin with list.
  --skip IDS           without these checks
  --list               prints the checks that these options choose, and runs none; needs no --url and --key
  --spec URL           address of SPEC.md in the links of the report, such as URL/guides/specification
  --seed N             repeats the random values of another run
  --format FORMAT      text (default) or json
  --output FILE        writes the report into a file
  --max-requests N     5000 by default
  --max-time SECONDS   300 by default
  --help

Keys are also read from CONFORMANCE_KEY, CONFORMANCE_SECOND_KEY and CONFORMANCE_OPERATOR_KEY.
Exit status: 0; 1 if a MUST of the interface failed; 2 for wrong arguments, or two keys of one account;
3 if the deployment cannot be reached or refuses a key.
`;

/** @typedef {Pick<Options, 'levels' | 'only' | 'skip'>} Choice */

const FORMATS = ['text', 'json'];

/**
 * @param {string[]} words
 * @returns {{ action: 'help' } | { action: 'list', options: Choice }
 *   | { action: 'run', options: Options, format: 'text' | 'json', output?: string }}
 */
export function parseArguments(words) {
  const values = read(words);
  if (values.help) return { action: 'help' };
  const choice = {
    levels: levelsOf(values.level),
    only: idsOf('--only', values.only),
    skip: idsOf('--skip', values.skip),
  };
  if (values.list) return { action: 'list', options: choice };
  const { env } = process;
  const key = values.key || env.CONFORMANCE_KEY;
  if (values.url === undefined) throw new UsageError('--url is missing');
  if (!key) throw new UsageError('--key is missing');
  const operatorKey = values['operator-key'] || env.CONFORMANCE_OPERATOR_KEY;
  const operatorUrl = values['operator-url'];
  if (values['operator-key'] !== undefined && operatorUrl === undefined)
    throw new UsageError('--operator-key needs --operator-url');
  if (operatorUrl !== undefined && !operatorKey) throw new UsageError('--operator-url needs --operator-key');
  const format = values.format ?? 'text';
  if (!FORMATS.includes(format)) throw new UsageError(`--format is one of ${FORMATS.join(', ')}`);
  const allowHttp = values['allow-http'] === true;
  for (const name of ['url', 'operator-url'])
    if (values[name] !== undefined && isPlain(address(`--${name}`, values[name])) && !allowHttp)
      throw new UsageError(
        `--${name} is http:// of another machine, so others on the network could read the keys: use https://, or give --allow-http if you trust the network`,
      );
  const options = {
    url: values.url,
    key,
    secondKey: values['second-key'] || env.CONFORMANCE_SECOND_KEY || undefined,
    ...(operatorUrl !== undefined && { operatorUrl, operatorKey }),
    ...choice,
    ...(allowHttp && { allowHttp }),
    ...(values.spec !== undefined && { spec: address('--spec', values.spec) }),
    seed: numberOf('--seed', values.seed, 0),
    maxRequests: numberOf('--max-requests', values['max-requests'], 1),
    maxTimeSeconds: numberOf('--max-time', values['max-time'], 1),
  };
  return { action: 'run', options, format: /** @type {any} */ (format), output: values.output };
}

/**
 * An option of the usage text takes a value if the next word is in capitals.
 * @param {string[]} words
 * @returns {Record<string, string | undefined> & { help?: any, list?: any, 'allow-http'?: any }}
 */
function read(words) {
  const types = [...USAGE.matchAll(/^ {2}--([a-z-]+)( [A-Z])?/gm)].map(([, name, value]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string' },
  ]);
  try {
    return /** @type {any} */ (parseArgs({ args: words, options: Object.fromEntries(types) }).values);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    // Node's message would show the value, which may be a key.
    throw new UsageError(
      code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL'
        ? 'a value has no option before it, such as --key'
        : message,
    );
  }
}

/** @param {string} name @param {string} value */
function address(name, value) {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UsageError(`${name} is not an http or https address without a query`);
  // The report shows the URL, and must not show a password.
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${name} has a user name or a password, which is never sent`);
  if (/\/v1\/*$/.test(url.pathname)) throw new UsageError(`${name} ends with /v1, which every request adds`);
  return value;
}

/** @param {string} name @param {string | undefined} value @param {number} least */
function numberOf(name, value, least) {
  if (value === undefined) return undefined;
  if (!/^\d{1,10}$/.test(value) || Number(value) < least)
    throw new UsageError(`${name} is a whole number from ${least}`);
  return Number(value);
}

/** @param {string | undefined} value */
const listOf = (value) =>
  value
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** @param {string} name @param {string | undefined} value */
function idsOf(name, value) {
  const ids = listOf(value);
  const unknown = ids?.find((id) => !CHECKS.some((check) => isMatch(check.id, id)));
  if (unknown !== undefined) throw new UsageError(`${name}: there is no check ${unknown}`);
  return ids;
}

/** @param {string | undefined} value @returns {Level[] | undefined} */
function levelsOf(value) {
  const names = listOf(value);
  const unknown = names?.find((name) => !LEVELS.includes(/** @type {any} */ (name)));
  if (unknown !== undefined)
    throw new UsageError(`--level: there is no level ${unknown}; there are ${LEVELS.join(', ')}`);
  return /** @type {any} */ (names);
}

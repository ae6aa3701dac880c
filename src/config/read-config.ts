import leven from 'leven';
import type { Setting } from './setting-forms.ts';
import { type Config, SETTINGS } from './settings.ts';

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);

/** Names that can only be meant for this service, so that an unknown one among them is a mistake. */
const OWN_PREFIXES = ['CURSOR_', 'OPERATOR_', 'STATUSES_', 'TRANSACTIONS_'];

function explainUnknownName(name: string): string | undefined {
  if (NAMES.includes(name)) return undefined;
  const meant = NAMES.find(
    (known) => leven(known, name) <= (known.length > 6 ? 2 : known.length > 4 ? 1 : 0),
  );
  if (meant !== undefined) return `${name} is not a setting; did you mean ${meant}?`;
  if (!OWN_PREFIXES.some((prefix) => name.startsWith(prefix))) return undefined;
  return `${name} is not a setting; the settings are ${NAMES.join(', ')}.`;
}

/** The short setting that a name was probably meant to be: too many programs have variables that are nearly called so. */
function nearMiss(name: string): string | undefined {
  if (NAMES.includes(name) || explainUnknownName(name) !== undefined) return undefined;
  const upper = name.toUpperCase();
  return NAMES.find((known) => {
    if (known.length > MOST_LETTERS_OF_SHORT) return known === upper;
    const distance = leven(known, upper);
    return (
      distance === 0 ||
      (distance === 1 && known.length !== upper.length) ||
      (distance === 2 && lettersOf(known) === lettersOf(upper))
    );
  });
}

const MOST_LETTERS_OF_SHORT = 4;
const lettersOf = (text: string) => [...text].sort().join('');

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings of an environment and of an .env file, or every fault in them, each a sentence that names its setting.
 *
 * A name that is nearly a short one of ours is a fault in the file, and a warning in the environment, which holds
 * the variables of other programs too.
 */
export function readConfig(
  environment: Environment,
  file: Environment = {},
): { config: Config; warnings: string[] } | { faults: string[] } {
  const env = { ...file, ...environment };
  const faults = Object.keys(env)
    .map(explainUnknownName)
    .filter((fault) => fault !== undefined);
  const warnings: string[] = [];
  for (const name of Object.keys(env)) {
    const meant = nearMiss(name);
    if (meant === undefined) continue;
    if (name in file) faults.push(`${name} is not a setting; did you mean ${meant}?`);
    else warnings.push(`${name} is not a setting and has no effect; did you mean ${meant}?`);
  }

  const read = <Value>({ name, absent, parse }: Setting<Value>): Value => {
    const text = env[name];
    if (text === undefined) return absent;
    const parsed = text === '' ? { faults: ['is empty; take it out to use the default'] } : parse(text);
    if ('value' in parsed) return parsed.value;
    faults.push(...parsed.faults.map((fault) => `${name} ${fault}.`));
    return absent;
  };

  const config: Config = {
    host: read(SETTINGS.host),
    port: read(SETTINGS.port),
    operatorHost: read(SETTINGS.operatorHost),
    operatorPort: read(SETTINGS.operatorPort),
    databaseUrl: read(SETTINGS.databaseUrl),
    databaseConnections: read(SETTINGS.databaseConnections),
    databaseReplicaUrls: read(SETTINGS.databaseReplicaUrls),
    databaseReplicaMaxLagMs: read(SETTINGS.databaseReplicaMaxLagMs),
    requestTimeoutMs: read(SETTINGS.requestTimeoutMs),
    statuses: read(SETTINGS.statuses),
    cursorLifetimeSeconds: read(SETTINGS.cursorLifetimeSeconds),
    logLevel: read(SETTINGS.logLevel),
    rateLimit: read(SETTINGS.rateLimit),
    failedAuthenticationRateLimit: read(SETTINGS.failedAuthenticationRateLimit),
    connectionsPerAddress: read(SETTINGS.connectionsPerAddress),
    trustedProxies: read(SETTINGS.trustedProxies),
    secrets: { cursorSecrets: read(SETTINGS.cursorSecrets), apiKey: read(SETTINGS.apiKey) },
  };
  return faults.length > 0 ? { faults } : { config, warnings };
}

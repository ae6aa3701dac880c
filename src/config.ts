import leven from 'leven';
import type { Setting } from './setting.ts';
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

/** The settings of an environment, or every fault in them, each a sentence that names its setting. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
): { config: Config } | { faults: string[] } {
  const faults = Object.keys(env)
    .map(explainUnknownName)
    .filter((fault) => fault !== undefined);

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
    trustedProxies: read(SETTINGS.trustedProxies),
    secrets: { cursorSecrets: read(SETTINGS.cursorSecrets), apiKey: read(SETTINGS.apiKey) },
  };
  return faults.length > 0 ? { faults } : { config };
}

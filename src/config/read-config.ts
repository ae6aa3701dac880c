import { editDistance } from '../../values/nearest.ts';
import { sentence } from '../../values/sentence.ts';
import { isEmbedded } from '../store/open-store.ts';
import { type Config, SETTINGS, type Setting } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** An unknown name in the environment causes only a warning, because it may belong to another program. */
export function readConfig(
  environment: Environment,
  file: Environment = {},
): { config: Config; warnings: string[] } | { faults: string[] } {
  const env = { ...file, ...environment };
  const faults: string[] = [];
  const warnings: string[] = [];
  for (const name of Object.keys(env)) {
    if (NAMES.includes(name)) continue;
    const meant = settingProbablyMeant(name);
    const question = meant === undefined ? undefined : `did you mean ${meant}?`;
    if (Object.hasOwn(file, name) && !CLIENT_NAMES.includes(name))
      faults.push(
        `${name} in ${env[SETTINGS.envFile.name] ?? SETTINGS.envFile.default} is not a setting; ${question ?? `the settings are ${NAMES.join(', ')}.`}`,
      );
    else if (question !== undefined) warnings.push(`${name} is not a setting and has no effect; ${question}`);
  }

  const secrets: Record<string, unknown> = {};
  const values: Record<string, unknown> = { secrets };
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const text = env[setting.name];
    const parsed = text === undefined ? { value: setting.default } : parse(setting, text);
    if ('faults' in parsed)
      faults.push(...parsed.faults.map((fault) => sentence(`${setting.name} ${fault}`)));
    else (setting.isSecret ? secrets : values)[key] = parsed.value;
  }
  faults.push(
    ...equalAddresses(values as Config),
    ...incompleteSignIn(env),
    ...replicasOfFile(values as Config),
  );
  return faults.length > 0 ? { faults } : { config: values as Config, warnings };
}

/** Without this check, the second listener would report that another program uses the port. */
function equalAddresses(config: Partial<Config>): string[] {
  const listeners = [
    { name: SETTINGS.port.name, host: config.host, port: config.port },
    { name: SETTINGS.operatorPort.name, host: config.operatorHost, port: config.operatorPort },
    { name: SETTINGS.metricsPort.name, host: config.metricsHost, port: config.metricsPort },
  ];
  return listeners.flatMap(({ name, host, port }, index) =>
    listeners
      .slice(0, index)
      .filter((earlier) => port && earlier.port === port && overlap(earlier.host, host))
      .map((earlier) => `${earlier.name} and ${name} are both ${port}; set one of them to another port.`),
  );
}

const overlap = (one = '', other = '') => one === other || covers(one, other) || covers(other, one);

/** On Linux, a listener on `::` also takes the port for IPv4. */
const covers = (every: string, host: string) =>
  every === '::' || (every === '0.0.0.0' && !host.includes(':'));

function incompleteSignIn(env: Environment): string[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcRedirectUrl, oidcRoles, publicUrl, operatorPort } =
    SETTINGS;
  const onlyForSignIn = [oidcIssuer, oidcClientId, oidcClientSecret, oidcRedirectUrl, oidcRoles];
  const set = onlyForSignIn.filter(({ name }) => env[name] !== undefined);
  const missing = [...onlyForSignIn, publicUrl, operatorPort].filter(({ name }) => env[name] === undefined);
  if (set.length === 0 || missing.length === 0) return [];
  const [names, missingNames] = [set, missing].map((settings) => settings.map(({ name }) => name).join(', '));
  return [
    `${names} ${set.length === 1 ? 'is' : 'are'} set without ${missingNames}. Set all of them so that staff can sign in, or none.`,
  ];
}

const replicasOfFile = ({ databaseUrl, databaseReplicaUrls }: Partial<Config>): string[] =>
  databaseUrl !== undefined && isEmbedded(databaseUrl) && databaseReplicaUrls?.length
    ? [`${SETTINGS.databaseReplicaUrls.name} is set, but SQLite has no replicas; remove it.`]
    : [];

const parse = (setting: Setting<unknown>, text: string) =>
  text === '' ? { faults: [explainEmpty(setting)] } : setting.parse(text);

const explainEmpty = (setting: Setting<unknown>) =>
  setting === SETTINGS.apiKey
    ? 'is empty; set it to the API key of the account, which "transactions keys create" creates, or remove it for commands that do not call the service'
    : 'is empty; remove it to use the default';

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);

/** Variables of the client. A .env file may contain them, so they are not refused as unknown settings. */
const CLIENT_NAMES: readonly string[] = ['TRANSACTIONS_OPERATOR_URL', 'TRANSACTIONS_OPERATOR_KEY'];

const SHORT_NAME_MAX_LETTERS = 4;

function settingProbablyMeant(name: string): string | undefined {
  const upper = name.toUpperCase();
  return NAMES.find((known) => {
    if (Math.abs(known.length - upper.length) > 1) return false;
    const distance = editDistance(known, upper);
    return (
      distance === 0 ||
      (distance === 1 && (known.length > SHORT_NAME_MAX_LETTERS || known.length !== upper.length)) ||
      (distance === 2 && sortedLetters(known) === sortedLetters(upper))
    );
  });
}

const sortedLetters = (text: string) => [...text].sort().join('');

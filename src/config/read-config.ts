import { editDistance } from '../../values/nearest.ts';
import { sentence } from '../../values/sentence.ts';
import { type Config, SETTINGS, type Setting } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Every name in the .env file must be a setting, because the file belongs to this service. The environment
 * also has variables of other programs: only a name that is close to a setting causes a warning.
 */
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
  return faults.length > 0 ? { faults } : { config: values as Config, warnings };
}

const parse = (setting: Setting<unknown>, text: string) =>
  text === '' ? { faults: [explainEmpty(setting)] } : setting.parse(text);

const explainEmpty = (setting: Setting<unknown>) =>
  setting === SETTINGS.apiKey
    ? 'is empty; set it to the API key of the account, which "transactions keys create" creates, or remove it for commands that do not call the service'
    : 'is empty; remove it to use the default';

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);

/**
 * Names that only the client reads, from the environment. The .env file may have them, because the
 * environment can be made from it.
 */
const CLIENT_NAMES: readonly string[] = ['TRANSACTIONS_OPERATOR_URL', 'TRANSACTIONS_OPERATOR_KEY'];

/** A name of at most this length, such as SORT or POST, is not taken for a misspelt HOST or PORT. */
const SHORT_NAME_MAX_LETTERS = 4;

/** Ignores case, one letter that is too many, missing or wrong, and two letters that are swapped. */
function settingProbablyMeant(name: string): string | undefined {
  const upper = name.toUpperCase();
  return NAMES.find((known) => {
    // The distance is at least the difference of the lengths. So if that is over 1, the slower computation is
    // not needed.
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

import leven from 'leven';
import { sentence } from '../values/sentence.ts';
import { type Config, SETTINGS, type Setting } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of an environment and an .env file. If there are faults, returns a sentence for each, with the name
 * of the setting.
 *
 * A name such as PROT probably means PORT, but can belong to another program: it is a fault in the file, and a warning in
 * the environment.
 */
export function readConfig(
  environment: Environment,
  file: Environment = {},
): { config: Config; warnings: string[] } | { faults: string[] } {
  const env = { ...file, ...environment };
  const faults: string[] = [];
  const warnings: string[] = [];
  for (const name of Object.keys(env)) {
    const fault = explainUnknownName(name);
    const meant = fault === undefined ? settingProbablyMeant(name) : undefined;
    if (fault !== undefined) faults.push(fault);
    else if (meant === undefined) continue;
    else if (name in file) faults.push(`${name} is not a setting; did you mean ${meant}?`);
    else warnings.push(`${name} is not a setting and has no effect; did you mean ${meant}?`);
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

/** Prefixes that only this service uses. An unknown name with such a prefix is a mistake. */
const OWN_PREFIXES = ['CURSOR_', 'OPERATOR_', 'STATUSES_', 'TRANSACTIONS_'];

function explainUnknownName(name: string): string | undefined {
  if (NAMES.includes(name)) return undefined;
  const similar = NAMES.find((known) => leven(known, name) <= wrongLettersAllowed(known));
  if (similar !== undefined) return `${name} is not a setting; did you mean ${similar}?`;
  if (!OWN_PREFIXES.some((prefix) => name.startsWith(prefix))) return undefined;
  return `${name} is not a setting; the settings are ${NAMES.join(', ')}.`;
}

/** Names up to this length, HOST and PORT, are similar to many variables of other programs. */
const SHORT_NAME_MAX_LETTERS = 4;
const MEDIUM_NAME_MAX_LETTERS = 6;

/** How many letters of a name can be wrong if it certainly means the known setting. */
function wrongLettersAllowed(known: string): number {
  if (known.length <= SHORT_NAME_MAX_LETTERS) return 0;
  return known.length <= MEDIUM_NAME_MAX_LETTERS ? 1 : 2;
}

/**
 * The setting that an unknown name probably means: any setting in another case, or a short setting with one letter more or
 * less or with two letters swapped.
 */
function settingProbablyMeant(name: string): string | undefined {
  if (NAMES.includes(name)) return undefined;
  const upper = name.toUpperCase();
  return NAMES.find((known) => {
    if (known.length > SHORT_NAME_MAX_LETTERS) return known === upper;
    const distance = leven(known, upper);
    return (
      distance === 0 ||
      (distance === 1 && known.length !== upper.length) ||
      (distance === 2 && sortedLetters(known) === sortedLetters(upper))
    );
  });
}

const sortedLetters = (text: string) => [...text].sort().join('');

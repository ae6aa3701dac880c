import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readConfig } from '../config/read-config.ts';
import { type Config, SETTINGS } from '../config/settings.ts';
import { CommandFailed, UsageError } from '../values/failure.ts';
import { sentence } from '../values/sentence.ts';
import { printNote } from './terminal/output.ts';

interface LoadOptions {
  /** Called for each variable that is probably a misspelt setting. */
  warn?: (warning: string) => void;
  /** Values of settings that neither the environment nor the .env file has. */
  defaults?: Readonly<Record<string, string>>;
}

/**
 * The settings of this process.
 *
 * Throws: UsageError with every faulty setting.
 */
export function loadConfig({ warn = printNote, defaults = {} }: LoadOptions = {}): Config {
  const text = readEnvFile();
  const file = parseEnv(text);
  const read = readConfig(process.env, { ...defaults, ...file });
  const faults = [...explainUnreadLines(text, file), ...('faults' in read ? read.faults : [])];
  if ('faults' in read || faults.length > 0)
    throw new UsageError('The settings are wrong:', ...faults.map((fault) => `  ${fault}`));
  for (const warning of read.warnings) warn(warning);
  return read.config;
}

/** The .env file of the working directory. Empty if there is none. */
function readEnvFile(): string {
  try {
    return readFileSync('.env', 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new CommandFailed(`The file .env can't be read: ${sentence((error as Error).message)}`);
  }
}

const NAMES: ReadonlySet<string> = new Set(Object.values(SETTINGS).map(({ name }) => name));

/** Node.js leaves out a line without an equals sign, and the setting would have its default. */
function explainUnreadLines(text: string, read: Readonly<Record<string, string | undefined>>): string[] {
  return text.split('\n').flatMap((line, index) => {
    const [, name = ''] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)(?![A-Za-z0-9_]|\s*=)/.exec(line) ?? [];
    return NAMES.has(name) && read[name] === undefined
      ? [`Line ${index + 1} of .env has ${name} without an equals sign; write ${name}=VALUE.`]
      : [];
  });
}

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readConfig } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';
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
  const read = readConfig(process.env, { ...defaults, ...readEnvFile() });
  if ('faults' in read)
    throw new UsageError('The settings are wrong:', ...read.faults.map((fault) => `  ${fault}`));
  for (const warning of read.warnings) warn(warning);
  return read.config;
}

/** The variables in the .env file of the working directory. None if there is no such file. */
function readEnvFile(): Record<string, string | undefined> {
  let text: string;
  try {
    text = readFileSync('.env', 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CommandFailed(`The file .env can't be read: ${sentence((error as Error).message)}`);
  }
  return parseEnv(text);
}

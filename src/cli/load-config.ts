import { readConfig } from '../config/read-config.ts';
import { type Config, SETTINGS } from '../config/settings.ts';
import { UsageError } from '../values/failure.ts';
import { readEnvFile } from './env-file.ts';
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
  const { variables, faults } = readEnvFile(
    Object.values(SETTINGS).map(({ name }) => name),
    { isOurs: true },
  );
  const read = readConfig(process.env, { ...defaults, ...variables });
  if ('faults' in read) faults.push(...read.faults);
  if ('faults' in read || faults.length > 0)
    throw new UsageError('The settings are wrong:', ...faults.map((fault) => `  ${fault}`));
  for (const warning of read.warnings) warn(warning);
  return read.config;
}

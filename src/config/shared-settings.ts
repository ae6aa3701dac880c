import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { SharedSettings } from '../instances/instance.ts';
import { type Config, SETTINGS, type Setting } from './settings.ts';

const DIGEST_BYTES = 12;

/** A secret is stored as a slow digest, so that even a weak secret cannot be guessed. */
export async function sharedSettings(config: Config): Promise<SharedSettings> {
  const values: Record<string, string | readonly string[]> = {};
  for (const [key, { name, isShared, isSecret }] of Object.entries<Setting<unknown>>(SETTINGS))
    if (isShared)
      values[name] = isSecret
        ? await digestsOf(name, config.secrets[key as keyof Config['secrets']])
        : textOf(config[key as keyof Config]);
  return values;
}

function textOf(value: unknown): string {
  if (value instanceof Map) return textOf([...value].map((entry) => entry.join(':')));
  return Array.isArray(value) ? value.toSorted().join() : String(value);
}

const derive = promisify<string, string, number, Buffer>(scrypt);

const digestsOf = async (name: string, secrets: unknown): Promise<string[]> =>
  Promise.all(
    [secrets ?? []]
      .flat()
      .map(async (secret) => (await derive(String(secret), name, DIGEST_BYTES)).toString('base64url')),
  );

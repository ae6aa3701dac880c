import type { Command } from 'commander';
import { formatTimestamp } from '../../../values/calendar.ts';
import { UsageError } from '../../../values/failure.ts';
import { printNote, printResult } from '../../../values/terminal/output.ts';
import { readFirstLine } from '../../../values/terminal/read-input.ts';
import { hasApiKeyForm, hashApiKey, isSession, isWellFormedApiKey } from '../../keys/api-key.ts';
import { keyRevoked, sessionEnded } from '../../keys/keys.ts';
import { commandStamp } from '../command-stamp.ts';
import { loadConfig, withStoreForWriting } from '../with-store.ts';
import { noSuchKey, parseKeyId } from './key-options.ts';

export function revokeCommand(keys: Command): void {
  keys
    .command('revoke')
    .description('revoke a key')
    .argument('<key>', 'the id of the key (key_...), or "-" to read the key itself from standard input')
    .action(revokeKey);
}

/** A user who has a leaked key but not its id sends the key to standard input. */
async function revokeKey(text: string): Promise<void> {
  if (hasApiKeyForm(text))
    throw new UsageError(
      'Other users can see the arguments of a command, and the shell stores them. Write "-" and send the key to standard input, or write the id of the key.',
    );
  if (text !== '-') parseKeyId(text);
  const config = loadConfig();
  const key = text === '-' ? await keyFromInput() : null;
  const revoked = await withStoreForWriting(config, async (store) => {
    const found = await (key === null ? store.retrieveApiKey(text) : store.findApiKey(hashApiKey(key)));
    if (found === undefined) return undefined;
    const stamp = commandStamp();
    const { account, id } = found;
    if (isSession(found))
      await store.endSessions({ account, person: null, id, nowMs: stamp.atMs }, sessionEnded(found, stamp));
    const ended = isSession(found)
      ? found
      : await store.revokeApiKey(id, stamp.atMs, keyRevoked(found, stamp));
    // If another program revoked the key meanwhile, the time of that revocation is shown.
    return ended && { account, id, atMs: ended.revokedAtMs ?? stamp.atMs, nowMs: stamp.atMs };
  });
  if (revoked === undefined)
    throw noSuchKey(key === null ? `No key has the id ${text}` : 'This key does not exist in this database');
  const { id, account, atMs, nowMs } = revoked;
  printResult(
    atMs === nowMs
      ? `${id} of account ${account} is revoked.`
      : `${id} of account ${account} was revoked already, at ${formatTimestamp(atMs)}.`,
  );
}

async function keyFromInput(): Promise<string> {
  if (process.stdin.isTTY) printNote('Paste the key and press Enter.');
  const key = await readFirstLine();
  if (!isKey(key))
    throw new UsageError('Standard input does not have an API key: one line, as it was shown.');
  return key;
}

const isKey = (text: string) => isWellFormedApiKey(text, 'account') || isWellFormedApiKey(text, 'operator');

import type { Command } from 'commander';
import { timeOrNull } from '../../../values/calendar.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { quote } from '../../../values/quote.ts';
import { jsonOption } from '../../../values/terminal/options.ts';
import { printNote, printResult } from '../../../values/terminal/output.ts';
import { formatKey } from '../../keys/api-key.ts';
import { DEFAULT_GRACE, GRACE_FORM, parseGrace, rollKey as roll } from '../../keys/roll-key.ts';
import { secureRandomBytes } from '../../service/random-bytes.ts';
import { commandStamp } from '../command-stamp.ts';
import { loadConfig, withStoreForWriting } from '../with-store.ts';
import { noSuchKey, parseExpiry, parseKeyId } from './key-options.ts';

export function rollCommand(keys: Command): void {
  keys
    .command('roll')
    .description(
      'replace a key: print a new key, which cannot be printed again. The old key expires after the grace',
    )
    .argument('<key>', 'the id of the key (key_...)', parseKeyId)
    .option('--grace <time>', 'how long the old key is accepted: 0, 90s, 30m, 24h or 7d', DEFAULT_GRACE)
    .option(
      '--expires <date>',
      'when the new key expires (default: after the lifetime of the old key)',
      parseExpiry,
    )
    .addOption(jsonOption('the new key and its properties'))
    .action(rollKey);
}

interface RollOptions {
  grace: string;
  expires?: number;
  json?: true;
}

async function rollKey(id: string, options: RollOptions): Promise<void> {
  const graceMs = parseGrace(options.grace);
  if (graceMs === undefined)
    throw new UsageError(`--grace cannot be ${quote(options.grace)}; ${GRACE_FORM}.`);
  const config = loadConfig();

  const rolled = await withStoreForWriting(config, async (store) => {
    const old = await store.retrieveApiKey(id);
    if (old === undefined) throw noSuchKey(`No key has the id ${id}`);
    // The time is read after the database was opened, because opening it can take a while.
    return roll(store, old, { graceMs, expiresAtMs: options.expires }, commandStamp(), secureRandomBytes);
  });
  if (rolled === undefined) {
    throw new CommandFailed(
      `The key ${id} is revoked or has expired, so it cannot be rolled. Create a new one with "transactions keys create".`,
    );
  }

  const { key, created, old } = rolled;
  const endsAt = timeOrNull(old.expiresAtMs);
  const replaced = { id, expiresAt: endsAt };
  printResult(
    options.json
      ? JSON.stringify({ ...formatKey(created), accountPrefix: created.accountPrefix, key, replaced })
      : key,
  );
  printNote(
    `This is the only time that the new key is shown. Its id is ${created.id}. The old key, ${id}, is accepted until ${endsAt}. To revoke the new one: transactions keys revoke ${created.id}`,
  );
}

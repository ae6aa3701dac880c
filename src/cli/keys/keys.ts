import type { Command } from 'commander';
import { createKeyCommand } from './create.ts';
import { listKeysCommand } from './list.ts';
import { revokeCommand } from './revoke.ts';
import { rollCommand } from './roll.ts';

export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list, roll and revoke API keys');
  for (const add of [createKeyCommand, listKeysCommand, rollCommand, revokeCommand]) add(keys);
}

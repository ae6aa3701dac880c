import type { Command } from 'commander';
import { createCommand } from './create.ts';
import { listCommand } from './list.ts';
import { revokeCommand } from './revoke.ts';
import { rollCommand } from './roll.ts';

export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list, roll and revoke API keys');
  for (const add of [createCommand, listCommand, rollCommand, revokeCommand]) add(keys);
}

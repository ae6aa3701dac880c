import type { Command } from 'commander';
import { createSessionCommand } from './create.ts';
import { endCommand } from './end.ts';
import { listSessionsCommand } from './list.ts';

export function sessionsCommand(program: Command): void {
  const sessions = program
    .command('sessions')
    .description('create, list and end sessions, with which people look at an account');
  for (const add of [createSessionCommand, listSessionsCommand, endCommand]) add(sessions);
}

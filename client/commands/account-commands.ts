import type { Command } from 'commander';
import type { ServiceOf } from './api-client.ts';

export type LoadCommand = () => Promise<(program: Command, serviceOf: ServiceOf) => void>;

export const ACCOUNT_COMMANDS: Readonly<Record<string, LoadCommand>> = {
  list: async () => (await import('./list/list.ts')).listCommand,
  search: async () => (await import('./search/search.ts')).searchCommand,
  totals: async () => (await import('./totals/totals.ts')).totalsCommand,
  export: async () => (await import('./export/export.ts')).exportCommand,
  changes: async () => (await import('./changes/changes.ts')).changesCommand,
  reconcile: async () => (await import('./reconcile/reconcile.ts')).reconcileCommand,
};

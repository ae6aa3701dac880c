import type { Command } from 'commander';
import { printManyResults, printNote } from '../../values/terminal/output.ts';
import { formatSeal } from '../ledger/seals/seal.ts';
import { ofEachAccount } from './accounts.ts';
import { accountOption, nothingOf } from './identifier-options.ts';
import { loadConfig, withStore } from './with-store.ts';

export function sealsCommand(program: Command): void {
  program
    .command('seals')
    .description('print the seal of each account: store it elsewhere, for "verify --against"')
    .option(...accountOption('only this account'))
    .action(printSeals);
}

async function printSeals({ account }: { account?: string }): Promise<void> {
  const count = await withStore(loadConfig(), async (store) => {
    const lineOf = async (one: string) => {
      // The archive must be read before the seal. A later archive could contain changes after the seal.
      const archive = await store.readArchive(one);
      const seal = formatSeal(one, await store.readSeal(one));
      const floor = archive && { floorSequence: archive.floorSequence, rest: archive.rest };
      return JSON.stringify({ account: one, ...seal, ...floor });
    };
    if (account !== undefined) {
      if (((await store.readHeads([account])).get(account) ?? 0) === 0) throw nothingOf(account);
      await printManyResults(await lineOf(account));
      return 1;
    }
    let lines = 0;
    for await (const line of ofEachAccount(store, lineOf)) {
      await printManyResults(line);
      lines++;
    }
    return lines;
  });
  if (count === 0) printNote('There are no accounts: nothing is recorded, and no account has a key.');
}

import type { Command } from 'commander';
import type { AuditEntry } from '../../../audit/audit.ts';
import { formatAudit } from '../../../audit/format-audit.ts';
import type { Store } from '../../../store/store.ts';
import { UsageError } from '../../../values/failure.ts';
import { loadConfig } from '../../load-config.ts';
import { jsonLinesOption } from '../../terminal/options.ts';
import { printNote } from '../../terminal/output.ts';
import { type Column, printPages } from '../../terminal/table.ts';
import { withStore } from '../../with-store.ts';
import { accountOption } from '../identifier-options.ts';
import { pagesOfStore } from '../pages-of-store.ts';
import { repeatCommand } from './repeat.ts';

export function auditCommand(program: Command): void {
  const audit = program
    .command('audit')
    .description('list who changed keys, endpoints and accounts, and when: oldest first')
    .option(...accountOption('only the changes of this account'))
    .addOption(jsonLinesOption())
    .action(listAudit)
    .hook('preSubcommand', refuseListOptions);
  repeatCommand(audit);
}

/** The options of the list are parsed before the name of another command, and have no effect on it. */
function refuseListOptions(audit: Command, other: Command): void {
  const [option] = Object.keys(audit.opts());
  if (option !== undefined)
    throw new UsageError(
      `"audit ${other.name()}" has no option --${option}: it is for the changes of all accounts.`,
    );
}

type Shown = ReturnType<typeof formatAudit>;

const COLUMNS: readonly Column<Shown>[] = [
  { title: 'AT', text: ({ at }) => at },
  { title: 'ACTION', text: ({ action }) => action },
  { title: 'ACCOUNT', text: ({ account }) => account },
  { title: 'ID', text: ({ subject }) => subject ?? '' },
  { title: 'VIA', text: ({ via }) => via },
  { title: 'BY', text: ({ actor, address }) => [actor ?? '', address ?? ''].join(' ').trim() },
  { title: 'DETAIL', text: ({ detail }) => describeDetail(detail) },
];

const describeDetail = (detail: Shown['detail']) =>
  Object.entries(detail ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') : value}`)
    .join(', ');

async function listAudit({ account = null, json }: { account?: string | null; json?: true }): Promise<void> {
  const count = await withStore(loadConfig(), (store) =>
    printPages(shownPages(store, account), COLUMNS, json),
  );
  if (count === 0 && !json) printNote('Nothing was changed.');
}

async function* shownPages(store: Pick<Store, 'listAudit'>, account: string | null): AsyncGenerator<Shown[]> {
  for await (const entries of pagesOfStore<AuditEntry>((after, count) =>
    store.listAudit(account, after, count),
  ))
    yield entries.map(formatAudit);
}

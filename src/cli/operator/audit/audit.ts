import type { Command } from 'commander';
import type { AuditEntry } from '../../../audit/audit.ts';
import { formatAudit } from '../../../audit/format-audit.ts';
import type { Store } from '../../../store/store.ts';
import { loadConfig } from '../../load-config.ts';
import { type Column, growingTable } from '../../terminal/growing-table.ts';
import { jsonLinesOption } from '../../terminal/options.ts';
import { printManyResults, printNote } from '../../terminal/output.ts';
import { withStore } from '../../with-store.ts';
import { accountOption } from '../identifier-options.ts';
import { repeatCommand } from './repeat.ts';

const PAGE_SIZE = 1000;

export function auditCommand(program: Command): void {
  const audit = program
    .command('audit')
    .description('list who changed keys, endpoints and accounts, and when: oldest first')
    .option(...accountOption('only the changes of this account'))
    .addOption(jsonLinesOption())
    .action(listAudit);
  repeatCommand(audit);
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
  const count = await withStore(loadConfig(), async (store) => {
    const { lines } = growingTable(COLUMNS);
    let printed = 0;
    for await (const entries of auditPages(store, account)) {
      const shown = entries.map(formatAudit);
      await printManyResults(...(json ? shown.map((one) => JSON.stringify(one)) : lines(shown)));
      printed += shown.length;
    }
    return printed;
  });
  if (count === 0 && !json) printNote('Nothing was changed.');
}

/** The audit trail, by pages. */
async function* auditPages(
  store: Pick<Store, 'listAudit'>,
  account: string | null,
): AsyncGenerator<AuditEntry[]> {
  for (let after: AuditEntry | null = null; ; ) {
    const entries: AuditEntry[] = await store.listAudit(account, after, PAGE_SIZE);
    if (entries.length > 0) yield entries;
    if (entries.length < PAGE_SIZE) return;
    after = entries.at(-1) as AuditEntry;
  }
}

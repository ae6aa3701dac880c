import type { Command } from 'commander';
import { UsageError } from '../../../values/failure.ts';
import { filteredPages, mappedPages, pagesOf } from '../../../values/pages.ts';
import { jsonLinesOption } from '../../../values/terminal/options.ts';
import { printNote } from '../../../values/terminal/output.ts';
import { type Column, printPages } from '../../../values/terminal/table.ts';
import { type AuditEntry, type FormattedAudit, formatAudit, keyOf } from '../../audit/audit.ts';
import type { Store } from '../../store/store.ts';
import { accountOption } from '../identifier-options.ts';
import { personOption } from '../keys/sessions.ts';
import { repeatCommand } from '../repeat/repeat.ts';
import { loadConfig, withStore } from '../with-store.ts';

export function auditCommand(program: Command): void {
  const audit = program
    .command('audit')
    .description(
      'list the audit trail, oldest first: who changed keys, endpoints and accounts, and who looked at accounts',
    )
    .option(...accountOption('only the entries about this account'))
    .option(
      ...personOption(
        'only the entries of this person: which accounts the person looked at, when and why, and what the person changed',
      ),
    )
    .addOption(jsonLinesOption())
    .action(listAudit)
    .hook('preSubcommand', refuseListOptions);
  repeatCommand(audit);
}

function refuseListOptions(audit: Command, other: Command): void {
  const [option] = Object.keys(audit.opts());
  if (option !== undefined)
    throw new UsageError(
      `"audit ${other.name()}" has no option --${option}: it is for the changes of all accounts.`,
    );
}

const COLUMNS: readonly Column<FormattedAudit>[] = [
  { title: 'AT', text: ({ at }) => at },
  { title: 'ACTION', text: ({ action }) => action },
  { title: 'ACCOUNT', text: ({ account }) => account },
  { title: 'ID', text: ({ subject }) => subject ?? '' },
  { title: 'VIA', text: ({ via }) => via },
  { title: 'BY', text: ({ actor, address }) => [actor ?? '', address ?? ''].join(' ').trim() },
  { title: 'DETAIL', text: ({ detail }) => describeDetail(detail) },
];

const describeDetail = (detail: FormattedAudit['detail']) =>
  Object.entries(detail ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') : value}`)
    .join(', ');

interface AuditOptions {
  account?: string;
  person?: string;
  json?: true;
}

async function listAudit({ account, person, json }: AuditOptions): Promise<void> {
  const count = await withStore(loadConfig(), (store) =>
    printPages(mappedPages(entryPages(store, account ?? null, person), formatAudit), COLUMNS, json),
  );
  if (count === 0 && !json)
    printNote(person === undefined ? 'Nothing was changed.' : 'This person had no session.');
}

function entryPages(store: Pick<Store, 'listAudit'>, account: string | null, person: string | undefined) {
  const pages = pagesOf<AuditEntry>((after, count) => store.listAudit(account, after, count));
  const sessions = new Set<string>();
  const isShown = (entry: AuditEntry) => {
    if (person === undefined) return true;
    const isOfPerson = entry.detail?.['person'] === person;
    if (isOfPerson && entry.subject !== null) sessions.add(entry.subject);
    return isOfPerson || sessions.has(keyOf(entry) ?? '');
  };
  return filteredPages(pages, isShown);
}

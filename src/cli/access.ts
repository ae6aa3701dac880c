import type { Command } from 'commander';
import { timeOrNull } from '../../values/calendar.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { filteredPages, pagesOf } from '../../values/pages.ts';
import { jsonLinesOption } from '../../values/terminal/options.ts';
import { printNote } from '../../values/terminal/output.ts';
import { type Column, printPages } from '../../values/terminal/table.ts';
import { type ApiKey, isUsable, isWithinPrefix, type Session } from '../keys/api-key.ts';
import { stateOfSession } from '../keys/session.ts';
import { type StaffRole, scopesFor } from '../staff/staff.ts';
import type { Store } from '../store/store.ts';
import { accountOption, noteUnknown } from './identifier-options.ts';
import { loadConfig, withStore } from './with-store.ts';

export function accessCommand(program: Command): void {
  program
    .command('access')
    .description(
      "list who can reach an account now: its keys, its sessions, the operator's keys, and the roles of staff in OIDC_ROLES",
    )
    .requiredOption(...accountOption('the account'))
    .addOption(jsonLinesOption())
    .action(listAccess);
}

const shownAs = (access: 'key' | 'session' | "operator's key") => (key: ApiKey) => ({
  access,
  id: key.id,
  name: key.session?.person ?? key.label,
  scopes: [...key.scopes],
  accountPrefix: key.accountPrefix,
  reason: key.session?.reason ?? null,
  madeBy: key.session?.madeBy ?? null,
  expiresAt: timeOrNull(key.expiresAtMs),
  lastUsedAt: timeOrNull(key.lastUsedAtMs),
});

const shownRole = ({ member, scopes, accountPrefix }: StaffRole) => ({
  access: 'role' as const,
  id: member,
  name: null,
  scopes: [...scopes],
  accountPrefix,
  reason: null,
  madeBy: null,
  expiresAt: null,
  lastUsedAt: null,
});
type Shown = ReturnType<ReturnType<typeof shownAs>> | ReturnType<typeof shownRole>;

const COLUMNS: readonly Column<Shown>[] = [
  { title: 'ACCESS', text: ({ access }) => access },
  { title: 'ID', text: ({ id }) => id },
  { title: 'SCOPES', text: ({ scopes }) => scopes.join(',') },
  { title: 'EXPIRES', text: ({ expiresAt }) => expiresAt ?? 'never' },
  { title: 'LAST USED', text: ({ lastUsedAt }) => lastUsedAt ?? 'never' },
  { title: 'PERSON OR LABEL', text: ({ name }) => name ?? '' },
  { title: 'REASON', text: ({ reason }) => reason ?? '' },
  { title: 'MADE BY', text: ({ madeBy }) => madeBy ?? '' },
];

async function listAccess({ account, json }: { account: string; json?: true }): Promise<void> {
  const config = loadConfig();
  const roles = config.oidcRoles.filter((role) => scopesFor([role], account).length > 0);
  const count = await withStore(config, async (store) => {
    const printed = await printPages(accessPages(store, account, roles), COLUMNS, json);
    await noteUnknown(store, account);
    return printed;
  });
  if (config.oidcRoles.length === 0 && !json)
    printNote(
      'No role of staff is listed, because OIDC_ROLES is not in the settings of this command. If staff sign in, run it with the settings of the service.',
    );
  if (count === 0 && !json) printNote(`Nobody can reach the account ${account} now.`);
}

async function* accessPages(
  store: Pick<Store, 'listApiKeys' | 'listSessions' | 'readClock'>,
  account: string,
  roles: readonly StaffRole[],
): AsyncGenerator<Shown[]> {
  // On PostgreSQL, this uses the database's clock, because services compare expiry times with that clock.
  const clock = await store.readClock();
  const nowMs = clock.isLeast ? Date.now() : clock.nowMs;
  const usableKeys = (owner: string) =>
    filteredPages(
      pagesOf<ApiKey>((after, count) => store.listApiKeys(owner, after, count)),
      (key) => isUsable(key, nowMs) && isWithinPrefix(account, key.accountPrefix),
    );
  const sessions = filteredPages(
    pagesOf<Session>((after, count) => store.listSessions({ account, person: null }, after, count)),
    (session) => ['waiting', 'open'].includes(stateOfSession(session, nowMs)),
  );
  const shown: Shown[] = [];
  for await (const page of usableKeys(account)) shown.push(...page.map(shownAs('key')));
  for await (const page of sessions) shown.push(...page.map(shownAs('session')));
  for await (const page of usableKeys(OPERATOR_ACCOUNT)) shown.push(...page.map(shownAs("operator's key")));
  shown.push(...roles.map(shownRole));
  if (shown.length > 0) yield shown;
}

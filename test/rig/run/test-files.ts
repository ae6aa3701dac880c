import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { evenShares } from './even-shares.ts';
import { seed } from './seed.ts';
import { TURN } from './tier.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The files of these folders share processes: `test/groups` has a file for each process. */
const GROUPS = {
  cli: 'test/cli',
  client: 'test/client',
  data: 'test/{archive,changes,conformance,copy,differential,erase,faults,judge,long,release,restores,spin,totals,verify,webhooks}',
  http: 'test/{documents,http,staff}',
  page: 'test/page',
  project: 'test/project',
  store: 'test/store',
};
export type Group = keyof typeof GROUPS;

/** The long tier runs the other files one by one, so that it can be resumed after each. */
const GROUPS_OF: Readonly<Record<Tier, readonly Group[]>> = {
  short: ['cli', 'client', 'data', 'http', 'page', 'project', 'store'],
  long: ['client', 'http', 'page', 'project'],
};

/**
 * Files that take turns: each is slow, and looks at a rare situation or at a tool of the operator. A commit runs one in 24 of them,
 * others with each seed, the long tier all. Each promise has a planted fault that another file finds: that one runs with each commit.
 */
export const IN_TURNS: readonly string[] = globSync(
  [
    'test/cli/{archive,backup,backup-postgres,changes,closing-a-month,copy,erase,export,export-killed}.test.ts',
    'test/cli/{import-disk-full,import-killed,keys-postgres,listener,live-rotation,logger,moving}.test.ts',
    'test/cli/{npm-start,postgres,progress,proxies,reconcile,recording,rewinds,secrets}.test.ts',
    'test/cli/{serve-changes,serve-postgres-server,serve-webhooks,served-command,settings}.test.ts',
    'test/cli/{stop-signals,terminal-output,traces,upgrade,verify,webhook-instances,webhook-receivers,webhooks}.test.ts',
    'test/cli/{webhooks-listen,work-during-import,workers,workers-lost,write-lock-held}.test.ts',
    'test/client/{guide-programs,module,restart,served-package,warehouse}.test.ts',
    'test/clock/{clock-jumps,faketime}.test.ts',
    'test/conformance/{command,deployments,hostile-server}.test.ts',
    'test/copy/{postgres,sqlite}.test.ts',
    'test/crash/{copy-cuts,copy-kills,disk,export-kills,file-moved,totals-kills,lost-recordings,webhook-kills}.test.ts',
    'test/erase/postgres.test.ts',
    'test/http/{503-overload,503-slow-store,docs-slow-readers,exports-abandoned,slow-senders}.test.ts',
    'test/long/main.test.ts',
    'test/network/{client,database,receivers}.test.ts',
    'test/release/{versions,workflows}.test.ts',
    'test/restores/single-row.test.ts',
    'test/store/postgres/{copy,copy-standby,faults,held-rows,import,open,pgbouncer,replicas,slow-lists,tls}.test.ts',
    'test/store/restore-drill.test.ts',
    'test/verify/{postgres-corruptions,postgres-healthy,sqlite-healthy}.test.ts',
    'test/webhooks/outage.test.ts',
  ],
  { cwd: ROOT },
).sort();

export type Tier = 'short' | 'long';

/** The turns: files that take about the same time together as those of another turn. */
export const TURNS: readonly (readonly string[])[] = evenShares(IN_TURNS, 1 / TURN);

const withTheirTurn = new Set(TURNS[seed % TURNS.length]);

/** Whether a file of tests runs in a tier. */
export const isRun = (path: string, tier: Tier): boolean =>
  tier === 'long' || !(isLong(path) || (IN_TURNS.includes(path) && !withTheirTurn.has(path)));

const isLong = (path: string) => path.endsWith('.long.test.ts');
/** They note the statements of the modules that they load: none may be loaded before. */
const ALONE = ['test/store/postgres/statement-plans.test.ts', 'test/store/postgres/statements.test.ts'];
const isAlone = (path: string) => isLong(path) || ALONE.includes(path);

/** The files of the `share`th of `of` processes of a group. */
export const testsOf = (tier: Tier, group: Group, share: number, of: number): string[] =>
  evenShares(
    groupedFiles(group).filter((path) => isRun(path, tier)),
    of,
  )[share - 1] as string[];

const filesIn = (folder: string) => globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }).sort();
const groupedFiles = (group: Group) => filesIn(GROUPS[group]).filter((path) => !isAlone(path));

/**
 * What a run starts a process for: every test file of `test` or its group. The long tier also has its own files, and the unit tests,
 * which have random cases too; `npm test` runs them for their coverage.
 */
export function testFiles(tier: Tier): string[] {
  const grouped = new Set(GROUPS_OF[tier].flatMap(groupedFiles));
  return [
    ...GROUPS_OF[tier].flatMap((group) =>
      globSync(`test/groups/{${group},${group}-*}.ts`, { cwd: ROOT }).sort(),
    ),
    ...filesIn('test').filter((path) => isRun(path, tier) && !grouped.has(path)),
    ...(tier === 'long' ? [...filesIn('src'), ...filesIn('web')] : []),
  ];
}

import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { someInTier, TURN } from './tier.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** These folders share processes: `test/groups` runs their files. */
const GROUPED = ['client', 'http', 'page', 'project'];

/**
 * Files that take turns: each is slow, and looks at a rare situation or at a tool of the operator. A commit runs a sixteenth of them,
 * others with each seed, the long tier all. Each promise has a planted fault that another file finds: that one runs with each commit.
 */
export const IN_TURNS: readonly string[] = globSync(
  [
    'test/changes/wrong-postgres-stores.test.ts',
    'test/cli/{archive,backup,backup-postgres,changes,closing-a-month,copy,erase,export,export-killed}.test.ts',
    'test/cli/{import-disk-full,import-killed,keys-postgres,listener,live-rotation,logger,missing-database,moving}.test.ts',
    'test/cli/{npm-start,postgres,progress,proxies,reconcile,recording,rewinds,search,secrets}.test.ts',
    'test/cli/{serve-changes,serve-totals,serve-postgres-server,serve-webhooks,served-command,settings}.test.ts',
    'test/cli/{stop-signals,terminal-output,traces,upgrade,verify,webhook-instances,webhook-receivers,webhooks}.test.ts',
    'test/cli/{webhooks-failing,webhooks-listen,work-during-import,workers,workers-lost,write-lock-held}.test.ts',
    'test/client/{module,restart,served-package}.test.ts',
    'test/clock/{clock-jumps,faketime}.test.ts',
    'test/conformance/{broken-servers,command,hostile-server,large-account,right-server,service}.test.ts',
    'test/copy/{postgres,sqlite}.test.ts',
    'test/crash/{copy-cuts,copy-kills,disk,export-kills,file-moved,totals-kills,lost-recordings,webhook-kills}.test.ts',
    'test/erase/postgres.test.ts',
    'test/http/{503-overload,503-slow-store,docs-slow-readers,exports-abandoned,slow-senders}.test.ts',
    'test/long/main.test.ts',
    'test/network/{client,database,receivers}.test.ts',
    'test/release/{versions,workflows}.test.ts',
    'test/simulation/mutants.test.ts',
    'test/store/postgres/{copy,copy-standby,faults,held-rows,import,open,pgbouncer,replicas,slow-lists,tls}.test.ts',
    'test/store/restore-drill.test.ts',
    'test/verify/{postgres-corruptions,postgres-healthy,sqlite-healthy}.test.ts',
    'test/webhooks/outage.test.ts',
  ],
  { cwd: ROOT },
).sort();

export type Tier = 'short' | 'long';

const withTheirTurn = new Set(someInTier(IN_TURNS, Math.ceil(IN_TURNS.length * TURN)));

/** Whether a file of tests runs in a tier. */
export const isRun = (path: string, tier: Tier): boolean =>
  tier === 'long' || !(isLong(path) || (IN_TURNS.includes(path) && !withTheirTurn.has(path)));

const isLong = (path: string) => path.endsWith('.long.test.ts');
const isGrouped = (path: string) => GROUPED.some((folder) => path.startsWith(`test/${folder}/`));

/** The files of a group: every `of`th test file of a folder of `test`, from the `share`th. Files of the long tier have their own process. */
export const testsOf = (tier: Tier, folder: string, share: number, of: number): string[] =>
  globSync(`test/${folder}/**/*.test.ts`, { cwd: ROOT })
    .filter((path) => !isLong(path))
    .sort()
    .filter((path, index) => index % of === share - 1 && isRun(path, tier));

/**
 * What a run starts a process for: every test file of `test` or its group. The long tier also has its own files, and the unit tests,
 * which have random cases too; `npm test` runs them for their coverage.
 */
export const testFiles = (tier: Tier): string[] => [
  ...globSync('test/groups/*.ts', { cwd: ROOT }).sort(),
  ...globSync('test/**/*.test.ts', { cwd: ROOT })
    .filter((path) => isRun(path, tier) && (isLong(path) || !isGrouped(path)))
    .sort(),
  ...(tier === 'long' ? globSync('{src,web}/**/*.test.ts', { cwd: ROOT }).sort() : []),
];

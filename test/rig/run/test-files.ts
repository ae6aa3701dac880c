import { globSync } from 'node:fs';
import { seed } from './seed.ts';
import { TURNS } from './tier.ts';

/** This test notes statements while the store's modules load, so no other test may load the modules first. */
export const ALONE = ['test/store/postgres/statement-plans.test.ts'];

const SLOW = globSync([
  'test/cli/{archive,backup,backup-postgres,changes,closing-a-month,copy,erase,export}.test.ts',
  'test/cli/{import-disk-full,import-killed,listener,logger,moving}.test.ts',
  'test/cli/{npm-start,postgres,progress,promoted-memory,proxies,reconcile,secrets}.test.ts',
  'test/cli/{serve-changes,serve-postgres-server,serve-webhooks,settings}.test.ts',
  'test/cli/{stop-signals,terminal-output,traces,upgrade,verify,webhook-receivers,webhooks}.test.ts',
  'test/cli/{webhooks-listen,work-during-import,workers,workers-lost,write-lock-held}.test.ts',
  'test/client/{guide-programs,module,served-package,warehouse}.test.ts',
  'test/clock/clock-jumps.test.ts',
  'test/conformance/{command,deployments,hostile-server}.test.ts',
  'test/copy/{postgres,sqlite}.test.ts',
  'test/crash/{disk,file-moved,lost-recordings}.test.ts',
  'test/erase/postgres.test.ts',
  'test/http/503-overload.test.ts',
  'test/network/{database,receivers}.test.ts',
  'test/release/versions.test.ts',
  'test/store/postgres/{copy,copy-standby,faults,held-rows,import,open,pgbouncer,replicas,slow-lists,tls}.test.ts',
  'test/verify/{postgres-corruptions,postgres-healthy,repair,sqlite-healthy}.test.ts',
]).sort();

const LONG = globSync([
  'test/archive/{archived-before,postgres,sqlite}.test.ts',
  'test/cli/{account,doctor,import,keys,people-guide,seals,serve}.test.ts',
  'test/client/{platform-accounts,transaction-list-properties}.test.ts',
  'test/documents/{error-pages,guides,reference}.test.ts',
  'test/erase/sqlite.test.ts',
  'test/http/{503-time-limit,exports-cut,long-requests-left}.test.ts',
  'test/judge/judge.test.ts',
  'test/network/forbidden-addresses.test.ts',
  'test/page/{changes,chart,export,languages,layout,outage,reconcile,review}.test.ts',
  'test/page/{screen-reader,session,staff,states,tabs,time-zone,totals,transaction}.test.ts',
  'test/page/{webhook-failures,webhooks}.test.ts',
  'test/project/alerts.test.ts',
  'test/release/debian-files.test.ts',
  'test/spin/models.test.ts',
  'test/staff/{forged,serve}.test.ts',
  'test/store/postgres/{plan,set-up,statements-for-citus}.test.ts',
  'test/verify/{every-column,value-checks}.test.ts',
]).sort();
const LONG_TURNS = 12;

const COVERED = '{src/keys,src/ledger,values}/**/*.test.ts';

export function shortTier(): string[] {
  const restingOf = (files: readonly string[], turns: number) =>
    files.filter((_, index) => index % turns !== seed % turns);
  const resting = [...restingOf(SLOW, TURNS), ...restingOf(LONG, LONG_TURNS)];
  const exclude = ['**/*.long.test.ts', COVERED, ...resting];
  return globSync('{client,release,src,test,values,web}/**/*.test.ts', { exclude }).sort();
}

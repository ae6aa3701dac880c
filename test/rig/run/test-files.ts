import { globSync } from 'node:fs';
import { seed } from './seed.ts';
import { TURNS } from './tier.ts';

/** This test notes statements while the store's modules load, so no other test may load the modules first. */
export const ALONE = ['test/store/postgres/statement-plans.test.ts'];

/** The short tier runs one in `TURNS` of these files, chosen by the seed. The long tier runs all. */
export const SLOW = globSync([
  'test/archive/{archived-before,postgres,sqlite}.test.ts',
  'test/cli/{account,archive,backup,backup-postgres,changes,closing-a-month,copy,doctor,erase}.test.ts',
  'test/cli/{export,import,import-disk-full,import-killed,keys,listener,logger,moving}.test.ts',
  'test/cli/{npm-start,people-guide,postgres,progress,promoted-memory,proxies,reconcile,seals}.test.ts',
  'test/cli/{secrets,serve,serve-changes,serve-postgres-server,serve-webhooks,settings}.test.ts',
  'test/cli/{stop-signals,terminal-output,traces,upgrade,verify,webhook-receivers,webhooks}.test.ts',
  'test/cli/{webhooks-listen,work-during-import,workers,workers-lost,write-lock-held}.test.ts',
  'test/client/{guide-programs,module,platform-accounts,served-package}.test.ts',
  'test/client/{transaction-list-properties,warehouse}.test.ts',
  'test/clock/clock-jumps.test.ts',
  'test/conformance/{command,deployments,hostile-server}.test.ts',
  'test/copy/{postgres,sqlite}.test.ts',
  'test/crash/{disk,file-moved,lost-recordings}.test.ts',
  'test/documents/{error-pages,guides,reference}.test.ts',
  'test/erase/{postgres,sqlite}.test.ts',
  'test/http/{503-overload,503-time-limit,exports-cut,long-requests-left}.test.ts',
  'test/judge/judge.test.ts',
  'test/network/{database,forbidden-addresses,receivers}.test.ts',
  'test/page/{changes,chart,details,export,languages,layout,outage,reconcile,review}.test.ts',
  'test/page/{screen-reader,search,session,staff,states,time-zone,totals,transaction}.test.ts',
  'test/page/{webhook-failures,webhooks}.test.ts',
  'test/project/alerts.test.ts',
  'test/release/{debian-files,versions}.test.ts',
  'test/spin/models.test.ts',
  'test/staff/{forged,serve}.test.ts',
  'test/store/postgres/{copy,copy-standby,faults,held-rows,import,open,pgbouncer,plan,replicas}.test.ts',
  'test/store/postgres/{set-up,slow-lists,statements-for-citus,tls}.test.ts',
  'test/verify/{every-column,postgres-corruptions,postgres-healthy,repair,sqlite-healthy}.test.ts',
  'test/verify/value-checks.test.ts',
]).sort();

const COVERED = '{src/keys,src/ledger,values}/**/*.test.ts';

export function shortTier(): string[] {
  const resting = SLOW.filter((_, index) => index % TURNS !== seed % TURNS);
  const exclude = ['**/*.long.test.ts', COVERED, ...resting];
  return globSync('{client,release,src,test,values,web}/**/*.test.ts', { exclude }).sort();
}

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../src/store/open-store.ts';
import { bucketOf } from '../src/webhooks/webhook.ts';
import type { Rounds } from './list-requests.ts';
import { type Databases, withDatabases } from './rig/databases.ts';
import { cpuMs, residentMb } from './rig/process-use.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import { type Finding, note } from './rig/report.ts';
import { startService } from './rig/server.ts';

/** By then, a service that was just started has read what there is, twice. */
const SETTLE_MS = 60_000;
const MEASURED_MS = 20_000;
const MANY = 100_000;

const numbers = (count: number) =>
  `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
/** 16 digits for each number. */
const DIGITS = '(1000000000000000 + n)';

/** The statements that store accounts, each with an endpoint. */
function endpointsOfAccounts(count: number): string[] {
  const rows = Array.from({ length: count }, (_, n) => {
    const account = `shop-${n}`;
    return `(${bucketOf(account)}, 0, 0, 1, 0, 0, '${account}', 'we_${1e15 + n}', 'https://example.com', 's')`;
  });
  const some = Array.from({ length: Math.ceil(count / 1000) }, (_, part) =>
    rows.slice(part * 1000, part * 1000 + 1000),
  );
  return [
    `INSERT INTO accounts (account, head_sequence) ${numbers(count)} SELECT 'shop-' || (n - 1), 0 FROM numbers`,
    ...some.map(
      (values) =>
        `INSERT INTO webhook_endpoints (bucket, ordered, created_at_ms, version, replay_version, acknowledged_sequence, account, id, url, secret) VALUES ${values.join()}`,
    ),
    `INSERT INTO watched_accounts (account, moved) SELECT account, '1' FROM accounts`,
  ];
}

/** What a database can have much of while nothing happens, and the statements that store it. */
const THINGS: readonly { name: string; goal: string; statements: (count: number) => string[] }[] = [
  { name: 'nothing', goal: '', statements: () => [] },
  {
    name: `${MANY} keys revoked just now`,
    goal: 'at most 5 more than nothing',
    statements: (count) => [
      `INSERT INTO api_keys (id, account, hash, key_start, scopes, created_at_ms, revoked_at_ms, end_recorded_at_ms)
       ${numbers(count)} SELECT 'key_' || ${DIGITS}, 'shop-' || n, '${'0'.repeat(48)}' || ${DIGITS}, 'tk_live_aaaaaa', 'read', 0, 1, ${Date.now()} + n FROM numbers`,
    ],
  },
  ...[20_000, MANY].map((endpoints) => ({
    name: `${endpoints} endpoints without changes`,
    goal: `at most ${endpoints === MANY ? 5 : 2} more than nothing`,
    statements: (count: number) => endpointsOfAccounts((count * endpoints) / MANY),
  })),
];

/** What a service without requests costs, by what its database has: CPU a second of service and database, and memory. */
export async function idle({ rounds }: Rounds): Promise<Finding[]> {
  const findings: Finding[] = [];
  const count = rounds > 1 ? MANY : 100;
  await withDatabases('idle', async (databases) => {
    for (const { name, goal, statements } of THINGS) {
      note(`${databases.store}: idle, ${name}`);
      const { service, server, memoryMb } = await idleCpu(
        databases,
        statements(count),
        rounds > 1 ? 1 : 0.02,
      );
      const figure = `${service.toFixed(1)}; ${server.toFixed(1)}; ${memoryMb.toFixed(0)} MB`;
      findings.push({
        name: `${databases.store}: idle with ${name}, CPU of the service, of the database, ms a second; memory`,
        figure,
        goal,
      });
    }
  });
  return findings;
}

/** `ofTime`: the part of the usual time that it takes. */
async function idleCpu(databases: Databases, statements: readonly string[], ofTime: number) {
  const url = await databases.create();
  await (await openStore(url, Date.now)).store.close();
  if (databases.store === 'PostgreSQL') for (const sql of statements) await queryPostgresOnce(url, sql);
  else new DatabaseSync(url.slice('sqlite:'.length)).exec(`BEGIN; ${statements.join(';')}; COMMIT`);
  const { pid, stop } = await startService(url);
  try {
    await delay(SETTLE_MS * ofTime);
    const before = { service: cpuMs(pid), server: databases.serverCpuMs() };
    await delay(MEASURED_MS * ofTime);
    const perSecond = (ms: number) => (ms * 1000) / (MEASURED_MS * ofTime);
    return {
      service: perSecond(cpuMs(pid) - before.service),
      server: perSecond(databases.serverCpuMs() - before.server),
      memoryMb: residentMb(pid),
    };
  } finally {
    await stop();
  }
}

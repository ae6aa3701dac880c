import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { makeApiKey } from '../src/keys/api-key.ts';
import { LIST_PATH } from '../src/ledger/list/http/list-query.ts';
import { openStore } from '../src/store/open-store.ts';
import { someEntry } from '../test/rig/store/audit.ts';
import { measure, type Rounds, warmUp } from './list-requests.ts';
import { type Databases, withDatabases } from './rig/databases.ts';
import { cpuMs, residentMb } from './rig/process-use.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import { makeOperatorKey, putRequests } from './rig/recorder.ts';
import { type Finding, note } from './rig/report.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { percentileOf, ratioOf, shown } from './rig/statistics.ts';

/** A service that was just started has by then read everything, and the heads of all accounts that were just watched. */
const SETTLE_MS = 200_000;
const MEASURED_MS = 20_000;
const MANY = 100_000;
const ACCOUNT = 'measured';
const PUTS_EACH = 10;
const BETWEEN_PUTS_MS = 20;

const numbers = (count: number) =>
  `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
/** 16 digits for each number. */
const DIGITS = '(1000000000000000 + n)';

/** The statements that store accounts, each with an endpoint. */
function endpointsOfAccounts(count: number): string[] {
  return [
    `INSERT INTO accounts (account, head_sequence) ${numbers(count)} SELECT 'shop-' || n, 0 FROM numbers`,
    `INSERT INTO webhook_endpoints (ordered, created_at_ms, version, replay_version, acknowledged_sequence, account, id, url, secret)
     ${numbers(count)} SELECT 0, 0, 1, 0, 0, 'shop-' || n, 'we_' || ${DIGITS}, 'https://example.com', 'whsec_${'a'.repeat(32)}' FROM numbers`,
    `INSERT INTO watched_accounts (account, moved) SELECT account, '1' FROM accounts`,
  ];
}

/** What a database can have much of while nothing happens, and the statements that store it. */
const THINGS: readonly { name: string; goal: string; statements: (count: number) => string[] }[] = [
  {
    name: `${MANY} keys revoked just now`,
    goal: 'at most 5',
    statements: (count) => [
      `INSERT INTO api_keys (id, account, hash, key_start, scopes, created_at_ms, revoked_at_ms, end_recorded_at_ms)
       ${numbers(count)} SELECT 'key_' || ${DIGITS}, 'shop-' || n, '${'0'.repeat(48)}' || ${DIGITS}, 'tk_live_aaaaaa', 'read', 0, 1, ${Date.now()} + n FROM numbers`,
    ],
  },
  ...[20_000, MANY].map((endpoints) => ({
    name: `${endpoints} endpoints without changes`,
    goal: `at most ${endpoints === MANY ? 5 : 2}`,
    statements: (count: number) => endpointsOfAccounts((count * endpoints) / MANY),
  })),
];

/** What a database has without a request for it, next to a database without it: CPU, memory, lists and deliveries. */
export async function idle(scale: Rounds): Promise<Finding[]> {
  const findings: Finding[] = [];
  const isSmall = scale.rounds === 1;
  await withDatabases('idle', async (databases) => {
    note(`${databases.store}: idle services`);
    await using services = new AsyncDisposableStack();
    const start = async (statements: readonly string[]) =>
      services.use(await IdleService.start(databases, statements));
    const nothing = await start([]);
    const others = [];
    for (const thing of THINGS)
      others.push({ ...thing, service: await start(thing.statements(isSmall ? 100 : MANY)) });
    await delay(SETTLE_MS * (isSmall ? 0.01 : 1));
    const used = [nothing, ...others.map(({ service }) => service)].map(
      ({ server }) =>
        () =>
          cpuMs(server.pid),
    );
    const [none, ...more] = await perSecond(
      [...used, databases.serverCpuMs],
      MEASURED_MS * (isSmall ? 0.02 : 1),
    );
    for (const [which, { name, goal, service }] of others.entries()) {
      const cpu = (more[which] as number) - (none as number);
      const found = [
        { name: 'CPU of the service more than with nothing, ms a second', figure: cpu.toFixed(1), goal },
        { name: 'memory, MB', figure: residentMb(service.server.pid).toFixed(0), goal: 'at most 250' },
        ...(await inUse(nothing, service, scale)),
      ];
      const prefix = `${databases.store}: idle with ${name},`;
      findings.push(...found.map((one) => ({ ...one, name: `${prefix} ${one.name}` })));
    }
    findings.push({
      name: `${databases.store}: CPU of the database of all idle services, ms a second`,
      figure: (more.at(-1) as number).toFixed(1),
      goal: '',
    });
  });
  return findings;
}

/** What each counter of milliseconds grows by in a second. */
async function perSecond(used: readonly (() => number)[], measuredMs: number): Promise<number[]> {
  const before = used.map((now) => now());
  await delay(measuredMs);
  return used.map((now, which) => ((now() - (before[which] as number)) * 1000) / measuredMs);
}

/** A service whose database has an account with a key, and what else the statements store. */
class IdleService {
  readonly server: MeasuredServer;
  readonly #receiver = createServer((request, response) => {
    request.resume().once('end', () => response.end());
    this.#arrived();
  });
  readonly #key: string;
  readonly #operatorKey: string;
  #arrived = () => {};

  private constructor(server: MeasuredServer, key: string, operatorKey: string) {
    this.server = server;
    this.#key = key;
    this.#operatorKey = operatorKey;
  }

  static async start({ store, create }: Databases, statements: readonly string[]): Promise<IdleService> {
    const url = await create();
    const operatorKey = await makeOperatorKey(url);
    const opened = await openStore(url, Date.now);
    const fields = {
      account: ACCOUNT,
      label: null,
      expiresAtMs: null,
      scopes: ['read', 'webhooks'] as const,
    };
    const { key, stored } = makeApiKey(fields, Date.now(), randomBytes);
    await opened.store.createApiKey(stored, someEntry());
    await opened.store.close();
    if (store === 'PostgreSQL') for (const sql of statements) await queryPostgresOnce(url, sql);
    else new DatabaseSync(url.slice('sqlite:'.length)).exec(`BEGIN; ${statements.join(';')}; COMMIT`);
    const env = { OPERATOR_PORT: '0', WEBHOOK_HTTP: 'true', WEBHOOK_NETWORKS: '127.0.0.1' };
    return new IdleService(await startService(url, { env }), key, operatorKey);
  }

  get lists() {
    return [{ path: LIST_PATH, headers: { authorization: `Bearer ${this.#key}` } }];
  }

  /** The times from a recording to its delivery, in milliseconds, one after the other. */
  async deliveries(count: number): Promise<number[]> {
    const { port } = (await listening(this.#receiver)).address() as AddressInfo;
    const created = await fetch(`${this.server.url}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/` }),
    });
    if (created.status !== 201) throw new Error(`the endpoint was answered ${created.status}`);
    const times: number[] = [];
    for (const { path, ...request } of putRequests(this.#operatorKey, '', count, () => ACCOUNT)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#arrived = resolve;
      const startedAtMs = performance.now();
      const put = await fetch(`${this.server.operatorUrl}${path}`, request);
      if (put.status !== 201) throw new Error(`the recording was answered ${put.status}`);
      await promise;
      times.push(performance.now() - startedAtMs);
      await delay(BETWEEN_PUTS_MS);
    }
    return times;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop();
    this.#receiver.close();
  }
}

const listening = async (server: Server): Promise<Server> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
};

/** Lists of a service in turns with those of one with nothing, and then deliveries. */
async function inUse(nothing: IdleService, service: IdleService, scale: Rounds): Promise<Finding[]> {
  for (const { server, lists } of [nothing, service]) await warmUp(server, lists, scale);
  const p99Of = async ({ server, lists }: IdleService) =>
    (await measure(server, lists, scale.secondsEach)).p99Ms;
  const p99 = { nothing: [] as number[], service: [] as number[] };
  for (let round = 1; round <= scale.rounds; round++) {
    note(`lists beside what is idle, round ${round} of ${scale.rounds}`);
    p99.nothing.push(await p99Of(nothing));
    p99.service.push(await p99Of(service));
  }
  const took = await service.deliveries(PUTS_EACH * scale.rounds);
  return [
    {
      name: 'p99 of a list to that with nothing',
      figure: shown(ratioOf(p99.service, p99.nothing)),
      goal: 'at most 1.1',
    },
    {
      name: 'from a PUT to its delivery, ms, p90',
      figure: percentileOf(took, 0.9).toFixed(0),
      goal: 'at most 100',
    },
  ];
}

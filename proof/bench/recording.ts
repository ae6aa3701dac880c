import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { serviceRequests, warmUp } from './list-requests.ts';
import { accountsOf, type DataSize, makeKeys, rowsOf, withCsv } from './rig/data.ts';
import { type Databases, onBothStores } from './rig/databases.ts';
import { startImport } from './rig/import-process.ts';
import { type LoadRequest, type LoadResult, load } from './rig/load.ts';
import { type Finding, finding } from './rig/report.ts';
import { inRounds, type Rounds } from './rig/rounds.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { ratioOf, spreadOf } from './rig/statistics.ts';
import { ndjsonPieces, stream } from './rig/stream.ts';

const MINIMAL = fileURLToPath(new URL('./rig/minimal-recorder.ts', import.meta.url));
const AT_ONCE = 64;
const LISTS = [
  { name: '8 readers', how: { connections: 8 } },
  { name: '300 a second', how: { perSecond: 300 } },
] as const;
/** More PUTs than either store answers in a second, so that the load never runs out of new PUTs. */
const PUTS_A_SECOND = 40_000;

export const recording = (size: DataSize, scale: Rounds): Promise<Finding[]> =>
  withCsv(size, (csv) =>
    onBothStores('recording', async (databases) => [
      ...(await oneByOne(databases, scale)),
      ...(await asStream(databases, csv, size, scale)),
    ]),
  );

function refuseFailed({ non2xx, answered }: { non2xx: number; answered: number }, prepared: number): void {
  if (non2xx > 0) throw new Error(`${non2xx} of ${answered} PUTs failed`);
  // With more responses than PUTs, some PUTs were sent twice. These cost less, so the rate is too high.
  if (answered > prepared)
    throw new Error(`${answered} PUTs were answered, but only ${prepared} were prepared`);
}

async function oneByOne(
  { store: name, create }: Databases,
  { rounds, secondsEach, warmUpSeconds }: Rounds,
): Promise<Finding[]> {
  const database = await create();
  const recorder = await startRecorder(database);
  try {
    const { puts, minimal } = await inRounds(
      `${name}: single recordings`,
      { rounds, isWarmedUp: true },
      async (round) => {
        const seconds = round === 0 ? warmUpSeconds : secondsEach;
        const requests = putRequests(recorder.key, `${round}-`, PUTS_A_SECOND * seconds);
        const result = await load(recorder.operatorUrl, requests, { connections: AT_ONCE, seconds });
        refuseFailed(result, requests.length);
        const bare = execFileSync(
          'taskset',
          ['-c', '0', process.execPath, MINIMAL, database, String(seconds), String(AT_ONCE), `${round}-`],
          { encoding: 'utf8' },
        );
        return { puts: result.perSecond, minimal: Number(bare) };
      },
    );
    const what = `${name}: PUTs a second`;
    return [
      finding(`${what}, ${AT_ONCE} in flight`, spreadOf(puts), '', 0),
      finding(`${what}, relative to minimal INSERTs`, ratioOf(puts, minimal), 'at least 0.5'),
    ];
  } finally {
    await recorder.stop();
  }
}

async function asStream(
  { store: name, create }: Databases,
  csv: string,
  size: DataSize,
  scale: Rounds,
): Promise<Finding[]> {
  const rows = rowsOf(size);
  const [, ...lines] = readFileSync(csv, 'utf8').trimEnd().split('\n');
  const rounds = Math.min(3, scale.rounds);
  const found = await inRounds(`${name}: stream and import`, { rounds }, async () => {
    const empty = await startRecorder(await create());
    const pieces = [...ndjsonPieces(lines)];
    const startedAtMs = performance.now();
    await stream(empty.operatorUrl, empty.key, pieces);
    const streamed = (rows * 1000) / (performance.now() - startedAtMs);
    await empty.stop();

    const database = await create();
    const importedAtMs = performance.now();
    await startImport(database, csv).done;
    const imported = (rows * 1000) / (performance.now() - importedAtMs);
    return { streamed, imported, ...(await listsDuring(database, lines, size, scale)) };
  });
  const { streamed, imported, ...lists } = found;
  return [
    finding(`${name}: stream, rows a second`, spreadOf(streamed), '', 0),
    finding(`${name}: import, rows a second`, spreadOf(imported), '', 0),
    finding(
      `${name}: stream, rows a second relative to an import`,
      ratioOf(streamed, imported),
      'at least 0.7',
    ),
    ...Object.entries<number[]>(lists).map(([what, ratios]) =>
      finding(
        `${name}: lists during a stream, ${what} to without`,
        spreadOf(ratios),
        what.endsWith('p50') ? 'at most 2' : 'at most 3',
      ),
    ),
  ];
}

async function listsDuring(
  database: string,
  lines: readonly string[],
  size: DataSize,
  scale: Rounds,
): Promise<Record<string, number>> {
  const requests = serviceRequests(size, await makeKeys(database, accountsOf(size)));
  const recorder = await startRecorder(database);
  const read = async () => {
    const times: LoadResult[] = [];
    for (const { how } of LISTS)
      times.push(await load(recorder.url, requests, { ...how, seconds: scale.secondsEach }));
    return times;
  };
  await warmUp(recorder, requests, scale);
  const quiet = await read();
  let stopped = false;
  const rows = endlessly(lines, () => stopped);
  const streaming = stream(recorder.operatorUrl, recorder.key, rows);
  const during = await read();
  stopped = true;
  await streaming;
  await recorder.stop();
  const ratios = LISTS.flatMap(({ name }, index) =>
    (['p50', 'p99'] as const).map((which) => {
      const [busy, free] = [during, quiet].map((times) => times[index]?.[`${which}Ms`] as number);
      return [`${name}, ${which}`, (busy as number) / (free as number)];
    }),
  );
  return Object.fromEntries(ratios);
}

interface Recorder extends MeasuredServer {
  operatorUrl: string;
  key: string;
}

async function startRecorder(databaseUrl: string): Promise<Recorder> {
  const { [OPERATOR_ACCOUNT]: key = '' } = await makeKeys(databaseUrl, [OPERATOR_ACCOUNT]);
  const server = await startService(databaseUrl, { env: { OPERATOR_PORT: '0' }, cores: '0,1' });
  return { ...server, operatorUrl: server.operatorUrl as string, key };
}

function* endlessly(rows: readonly string[], isStopped: () => boolean): Generator<Uint8Array> {
  for (let time = 0; ; time++)
    for (const piece of ndjsonPieces(rows, `again-${time}-`)) {
      if (isStopped()) return;
      yield piece;
    }
}

function transactionBody(index: number) {
  const createdAt = new Date(Date.UTC(2024, 0, 1) + index * 1000).toISOString();
  return {
    merchantReference: `order-${index}`,
    status: 'completed',
    amount: '12.50',
    currencyCode: 'EUR',
    paidAt: createdAt,
    createdAt,
  };
}

function putRequests(key: string, prefix: string, count: number): LoadRequest[] {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return Array.from({ length: count }, (_, index) => ({
    method: 'PUT',
    path: `/v1/accounts/account-${index % 100}/transactions/put-${prefix}${index}`,
    headers,
    body: JSON.stringify(transactionBody(index)),
  }));
}

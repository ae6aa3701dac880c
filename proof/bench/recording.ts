import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Rounds, serviceRequests, warmUp } from './list-requests.ts';
import { CACHE, type DataSize, makeKeys, rowsOf, writeCsv } from './rig/data.ts';
import { type Databases, withDatabases } from './rig/databases.ts';
import { startImport } from './rig/import-process.ts';
import { type ListTimes, load, timesOf } from './rig/load.ts';
import { makeOperatorKey, putRequests } from './rig/recorder.ts';
import { type Finding, note } from './rig/report.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { ratioOf, type Spread, shown, spreadOf } from './rig/statistics.ts';
import { LINES_AT_ONCE, ndjsonOf, ndjsonPieces, stream } from './rig/stream.ts';

const MINIMAL = fileURLToPath(new URL('./rig/minimal-recorder.ts', import.meta.url));
const AT_ONCE = 64;
/** Lists during a stream: of readers that send one after the other, and at a steady rate. */
const LISTS = [
  { name: '8 readers', readers: 8, perSecond: null },
  { name: '300 a second', readers: 0, perSecond: 300 },
] as const;
/** More than either store records in a second, so that no request is sent twice. */
const PUTS_A_SECOND = 40_000;

/** Single recordings, recordings as a stream, and lists during a stream, on both stores. */
export async function recording(size: DataSize, rounds: Rounds): Promise<Finding[]> {
  mkdirSync(CACHE, { recursive: true });
  const csv = `${CACHE}recording-${process.pid}.csv`;
  await writeCsv(size, createWriteStream(csv));
  const findings: Finding[] = [];
  await withDatabases('recording', async (databases) => {
    findings.push(...(await oneByOne(databases, rounds)));
    findings.push(...(await asStream(databases, csv, size, rounds)));
  });
  rmSync(csv);
  return findings;
}

/** Each request records another transaction, because a repeated one would cost less. */
function refuseFailed({ non2xx, answered }: { non2xx: number; answered: number }, prepared: number): void {
  if (non2xx > 0) throw new Error(`${non2xx} of ${answered} PUTs failed`);
  if (answered > prepared) throw new Error(`${answered} PUTs were answered, and ${prepared} were prepared`);
}

/** Single PUTs, compared with a minimal INSERT that is as durable. */
async function oneByOne(
  { store: name, create }: Databases,
  { rounds, secondsEach, warmUpSeconds }: Rounds,
): Promise<Finding[]> {
  const database = await create();
  const recorder = await startRecorder(database);
  const puts: number[] = [];
  const minimal: number[] = [];
  try {
    for (let round = rounds === 1 ? 1 : 0; round <= rounds; round++) {
      note(`${name}: single recordings, round ${round} of ${rounds}${round === 0 ? ' (to warm up)' : ''}`);
      const seconds = round === 0 ? warmUpSeconds : secondsEach;
      const requests = putRequests(recorder.key, `${round}-`, PUTS_A_SECOND * seconds);
      const result = await load(recorder.operatorUrl, requests, { connections: AT_ONCE, seconds });
      refuseFailed(result, requests.length);
      const bare = execFileSync(
        'taskset',
        ['-c', '0', process.execPath, MINIMAL, database, String(seconds), String(AT_ONCE), `${round}-`],
        { encoding: 'utf8' },
      );
      if (round === 0) continue;
      puts.push(result.perSecond);
      minimal.push(Number(bare));
    }
  } finally {
    await recorder.stop();
  }
  return [
    finding(`${name}: PUTs a second, ${AT_ONCE} in flight`, spreadOf(puts), 0, ''),
    finding(`${name}: PUTs a second, relative to minimal INSERTs`, ratioOf(puts, minimal), 2, 'at least 0.5'),
  ];
}

/** A stream, compared with an import of the same rows; and lists during a stream. */
async function asStream(
  { store: name, create }: Databases,
  csv: string,
  size: DataSize,
  scale: Rounds,
): Promise<Finding[]> {
  const { rounds, secondsEach } = scale;
  const rows = rowsOf(size);
  const [, ...lines] = readFileSync(csv, 'utf8').trimEnd().split('\n');
  const batches: number[] = [];
  const imports: number[] = [];
  const quiet: ListTimes[][] = [];
  const duringStream: ListTimes[][] = [];
  for (let round = 0; round < Math.min(3, rounds); round++) {
    note(`${name}: stream and import, round ${round + 1} of ${Math.min(3, rounds)}`);
    const empty = await startRecorder(await create());
    // Made before the measurement, because an import also reads a finished file.
    const pieces = [...ndjsonPieces(lines)];
    const startedAtMs = performance.now();
    await stream(empty.operatorUrl, empty.key, pieces);
    batches.push((rows * 1000) / (performance.now() - startedAtMs));
    await empty.stop();

    const database = await create();
    const importedAtMs = performance.now();
    await startImport(database, csv).done;
    imports.push((rows * 1000) / (performance.now() - importedAtMs));

    const requests = serviceRequests(size, await makeKeys(database, size));
    const recorder = await startRecorder(database);
    const read = async () => {
      const times: ListTimes[] = [];
      for (const how of LISTS)
        times.push(await timesOf(recorder.url, requests, { ...how, seconds: secondsEach }));
      return times;
    };
    await warmUp(recorder, requests, scale);
    quiet.push(await read());
    let stopped = false;
    const streaming = stream(
      recorder.operatorUrl,
      recorder.key,
      endlessly(lines, () => stopped),
    );
    duringStream.push(await read());
    stopped = true;
    await streaming;
    await recorder.stop();
  }
  return [
    finding(`${name}: stream, rows a second`, spreadOf(batches), 0, ''),
    finding(`${name}: import, rows a second`, spreadOf(imports), 0, ''),
    finding(
      `${name}: stream, rows a second relative to an import`,
      ratioOf(batches, imports),
      2,
      'at least 0.7',
    ),
    ...LISTS.flatMap((how, index) =>
      (['p50Ms', 'p99Ms'] as const).map((figure) =>
        finding(
          `${name}: lists during a stream, ${how.name}, ${figure === 'p50Ms' ? 'p50' : 'p99'} to without`,
          ratioOf(
            duringStream.map((times) => times[index]?.[figure] as number),
            quiet.map((times) => times[index]?.[figure] as number),
          ),
          2,
          figure === 'p50Ms' ? 'at most 2' : 'at most 3',
        ),
      ),
    ),
  ];
}

const finding = (name: string, spread: Spread, digits: number, goal: string): Finding => ({
  name,
  figure: shown(spread, digits),
  goal,
});

interface Recorder extends MeasuredServer {
  operatorUrl: string;
  key: string;
}

async function startRecorder(databaseUrl: string): Promise<Recorder> {
  const key = await makeOperatorKey(databaseUrl);
  const server = await startService(databaseUrl, { env: { OPERATOR_PORT: '0' }, cores: '0,1' });
  return { ...server, operatorUrl: server.operatorUrl as string, key };
}

/** The rows of a CSV file as NDJSON, in chunks, repeated under new accounts until `isStopped`. */
function* endlessly(rows: readonly string[], isStopped: () => boolean): Generator<Uint8Array> {
  for (let time = 0; ; time++) {
    for (let from = 0; from < rows.length; from += LINES_AT_ONCE) {
      if (isStopped()) return;
      const lines = rows.slice(from, from + LINES_AT_ONCE).map((row) => ndjsonOf(row, `again-${time}-`));
      yield new TextEncoder().encode(lines.join(''));
    }
  }
}

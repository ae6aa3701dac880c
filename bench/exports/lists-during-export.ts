import { setTimeout as delay } from 'node:timers/promises';
import { LIST_PATH } from '../../src/ledger/list/http/list-query.ts';
import type { FilledDatabase } from '../filled-database.ts';
import { callsEach } from '../growth.ts';
import { type Rounds, warmUp } from '../list-requests.ts';
import { LARGE_ACCOUNT } from '../rig/data.ts';
import { keepDownloading } from '../rig/download.ts';
import { type Finding, note } from '../rig/report.ts';
import { SequentialClient } from '../rig/sequential.ts';
import type { MeasuredServer } from '../rig/server.ts';
import { percentileOf, ratioOf, shown } from '../rig/statistics.ts';

const WARM_UP_CALLS = 2000;
const PAUSES_MS = [0, 1];

/** Times of lists in milliseconds: alone and during an export, one list of times for each round. */
interface Times {
  alone: number[][];
  during: number[][];
}

/** How long lists take while an export runs, to how long they take without one, in turns: without a pause between them, and with one. */
export async function listsDuringExport(
  { store, keys }: FilledDatabase,
  service: MeasuredServer,
  scale: Rounds,
): Promise<Finding[]> {
  const { rounds, secondsEach } = scale;
  const key = keys[LARGE_ACCOUNT] as string;
  const client = new SequentialClient(service.url, key);
  const warmUpCalls = callsEach(rounds, WARM_UP_CALLS);
  const timesOf = async (pauseMs: number) => {
    const times: number[] = [];
    for (const endsAtMs = performance.now() + secondsEach * 1000; performance.now() < endsAtMs; ) {
      times.push(await client.time(LIST_PATH));
      if (pauseMs > 0) await delay(pauseMs);
    }
    return times;
  };
  const findings: Finding[] = [];
  try {
    await warmUp(service, [{ path: LIST_PATH, headers: { authorization: `Bearer ${key}` } }], scale);
    for (const pauseMs of PAUSES_MS) {
      const times: Times = { alone: [], during: [] };
      for (let round = 1; round <= rounds; round++) {
        note(`${store}: lists during an export, ${pauseMs} ms between them, round ${round} of ${rounds}`);
        // Also lets the service end an export whose reader was stopped.
        for (let call = 0; call < warmUpCalls; call++) await client.time(LIST_PATH);
        times.alone.push(await timesOf(pauseMs));
        const reading = await keepDownloading(`${service.url}${LIST_PATH}.csv`, key);
        times.during.push(await timesOf(pauseMs));
        await reading.stop();
      }
      findings.push(...findingsOf(store, pauseMs, times));
    }
  } finally {
    client.close();
  }
  return findings;
}

function findingsOf(store: FilledDatabase['store'], pauseMs: number, { alone, during }: Times): Finding[] {
  const name = `${store}: lists during an export, ${pauseMs === 0 ? 'one after the other' : `${pauseMs} ms between them`}`;
  const at = (rounds: number[][], share: number) => rounds.map((times) => percentileOf(times, share));
  return [
    {
      name: `${name}, median to without`,
      figure: shown(ratioOf(at(during, 0.5), at(alone, 0.5))),
      goal: 'at most 1.5',
    },
    { name: `${name}, p99 to without`, figure: shown(ratioOf(at(during, 0.99), at(alone, 0.99))), goal: '' },
  ];
}

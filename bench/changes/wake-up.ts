import { setTimeout as delay } from 'node:timers/promises';
import type { Rounds } from '../list-requests.ts';
import { makeKeys, smallAccount, TINY } from '../rig/data.ts';
import type { Databases } from '../rig/databases.ts';
import { makeOperatorKey, putRequests } from '../rig/recorder.ts';
import { type Finding, note } from '../rig/report.ts';
import { startService } from '../rig/server.ts';

const WAIT_SECONDS = 30;
/** Longer than a request takes to begin its wait. */
const UNTIL_WAITING_MS = 30;
/** The interval at which heads are read: recordings are spread over it. */
const POLL_MS = 300;
const TURNS = { oneRound: 2, each: 25 };

/** From the response of a recording to the response of the long poll that it ends, in one process and across processes. */
export async function wakeUp(databases: Databases, rounds: Rounds['rounds']): Promise<Finding[]> {
  const url = await databases.create();
  const keys = await makeKeys(url, TINY);
  const operatorKey = await makeOperatorKey(url);
  const waiting = await startService(url, { env: { OPERATOR_PORT: '0' } });
  const recording = await startService(url, { env: { OPERATOR_PORT: '0' }, cores: '1' });
  const turns = rounds === 1 ? TURNS.oneRound : TURNS.each * rounds;
  const heads = new Map<string, number>();

  /** One recording, and the time from its response to that of the long poll. */
  const turnOf = async (account: string, recorder: typeof waiting, turn: string, afterMs: number) => {
    const after = heads.get(account) ?? 0;
    const polled = fetch(`${waiting.url}/v1/changes?after=${after}&wait=${WAIT_SECONDS}`, {
      headers: { authorization: `Bearer ${keys[account]}` },
    }).then(async (response) => ({ body: await response.json(), atMs: performance.now() }));
    await delay(afterMs);
    const [request] = putRequests(operatorKey, `${turn}-`, 1, () => account);
    const { path, ...init } = request as NonNullable<typeof request>;
    const put = await fetch(`${recorder.operatorUrl}${path}`, init);
    await put.text();
    const recordedAtMs = performance.now();
    const { body, atMs } = await polled;
    const { lastSequence } = body as { lastSequence: number };
    if (put.status !== 201 || lastSequence !== after + 1) throw new Error('the change did not come');
    heads.set(account, lastSequence);
    return atMs - recordedAtMs;
  };
  try {
    note(`${databases.store}: ${turns} long polls in one process and across processes`);
    const accounts = Array.from({ length: TINY.smallAccounts }, (_, index) => smallAccount(index));
    const same: number[] = [];
    const across: number[] = [];
    for (let turn = 0; turn < turns; turn++)
      same.push(await turnOf(smallAccount(0), waiting, `same-${turn}`, UNTIL_WAITING_MS));
    for (let turn = 0; turn < turns; turn++) {
      const took = accounts.map((account, index) =>
        turnOf(
          account,
          recording,
          `across-${turn}`,
          UNTIL_WAITING_MS + (POLL_MS * (index + turn / turns)) / accounts.length,
        ),
      );
      across.push(...(await Promise.all(took)));
    }
    return [
      findingOf(`${databases.store}: commit to long poll in the same process, ms`, same, 'p50 at most 20'),
      findingOf(`${databases.store}: commit to long poll across processes, ms`, across, 'p99 at most 1000'),
    ];
  } finally {
    await waiting.stop();
    await recording.stop();
  }
}

function findingOf(name: string, values: number[], goal: string): Finding {
  const rising = values.sort((left, right) => left - right);
  const at = (share: number) => (rising[Math.floor(rising.length * share)] as number).toFixed(1);
  return { name, figure: `p50 ${at(0.5)}, p99 ${at(0.99)} of ${rising.length}`, goal };
}

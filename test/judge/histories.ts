import { readFileSync } from 'node:fs';
import { Chance } from '../../proof/judge/history.ts';
import { runRound } from '../../proof/judge/round.ts';
import { historyOf } from '../../proof/judge/rules.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { InProcess } from './in-process.ts';

const LAST_EVENTS = 20;
const PLAN = 8;
const EVENTS_BETWEEN = 60;

export async function runHistory(seed: number) {
  const folder = temporaryFolder();
  const chance = new Chance(seed);
  const service = new InProcess(chance);
  const path = `${folder.path}/${seed}.ndjson`;
  try {
    const driver = await service.pass(service.start());
    try {
      const options = { driver, chance, path, name: `h${seed}`, plan: PLAN, eventsBetween: EVENTS_BETWEEN };
      const { violations, history } = await service.pass(runRound(options));
      const account = history.events
        .flatMap((event) => ('account' in event ? event.account : []))
        .find((name) => name !== '' && violations[0]?.startsWith(name));
      return { violations, history, story: account === undefined ? [] : historyOf(history.events, account) };
    } finally {
      await driver.close();
    }
  } catch (error) {
    const last = readFileSync(path, 'utf8').split('\n').slice(-LAST_EVENTS).join('\n');
    throw new Error(`the history of seed ${seed} ended early after\n${last}`, { cause: error });
  } finally {
    folder.remove();
  }
}

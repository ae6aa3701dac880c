import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Chance, type Event, type EventOf } from '../../proof/judge/history.ts';
import { startService } from '../../proof/judge/processes.ts';
import { runRound, summaryOf } from '../../proof/judge/round.ts';
import { judge } from '../../proof/judge/rules.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier, someInTier } from '../rig/run/tier.ts';

const SIZE = inTier({
  short: { instances: 1, plan: 2, eventsBetween: 40 },
  long: { instances: 3, plan: 12, eventsBetween: 200 },
});

for (const database of someInTier(['sqlite', 'postgres'] as const, 1)) {
  test(`random histories of processes on ${database} break no rule of the judge`, async (t) => {
    const folder = temporaryFolder();
    const driver = await startService({ database, instances: SIZE.instances });
    t.after(async () => {
      await driver.close();
      folder.remove();
    });
    const path = `${folder.path}/history.ndjson`;
    const options = {
      driver,
      chance: new Chance(seed),
      path,
      name: 'judged',
      ...SIZE,
    };
    const { violations, history } = await runRound(options);
    t.diagnostic(summaryOf(history));
    assert.deepEqual(violations, []);
    const events = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const read = events.map((line) => JSON.parse(line) as Event);
    assert.deepEqual(judge(read), []);
    checkThatItCanFail(read);
  });
}

function checkThatItCanFail(events: readonly Event[]): void {
  const without = <Op extends Event['op']>(op: Op, change: (event: EventOf<Op>) => unknown) => {
    // Each copy has one changed event. Some changes break no rule, but at least one copy must be refused.
    const isFound = [...events.keys()].reverse().some((index) => {
      if (events[index]?.op !== op) return false;
      const copy = structuredClone([...events]);
      change(copy[index] as EventOf<Op>);
      return !isDeepStrictEqual(copy, events) && judge(copy).length > 0;
    });
    assert.ok(isFound, op);
  };
  without('final', ({ changes }) => changes.pop());
  without('final', ({ changes }) => changes.splice(3, 1));
  without('followed', ({ changes }) => changes.pop());
  without('head', (head) => head.sequence++);
  without('seal', (seal) => Object.assign(seal, { seal: '0'.repeat(64) }));
  without('export', (taken) => Object.assign(taken, { text: taken.text.replace(/\n[^\n]*\n/, '\n') }));
  without('totals', ({ rows }) => rows.pop());
  without('walk', ({ pages }) => pages[0]?.rows.shift());
}

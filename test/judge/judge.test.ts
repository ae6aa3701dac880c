import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { postgresPrograms, startDeployment } from '../../judge/deployment.ts';
import { Chance, type Event } from '../../judge/history.ts';
import { runRound } from '../../judge/round.ts';
import { judge } from '../../judge/rules.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier, someInTier } from '../rig/run/tier.ts';

const DATABASES = [
  { name: 'SQLite', database: 'sqlite' },
  { name: 'PostgreSQL', database: postgresPrograms() ?? '' },
];

for (const { name, database } of someInTier(DATABASES, 1)) {
  const skip = database === '' && 'PostgreSQL is not installed from packages of Debian';
  test(`the judge finds nothing wrong on ${name}, with kills and a restore`, { skip }, async (t) => {
    const folder = temporaryFolder();
    const instances = inTier({ short: 1, long: 3 });
    const deployment = await startDeployment({ database, instances });
    t.after(async () => {
      await deployment.close();
      folder.remove();
    });
    const path = `${folder.path}/history.ndjson`;
    const chance = new Chance(seed);
    const size = inTier({ short: { kills: 0, eventsBetween: 30 }, long: { kills: 3, eventsBetween: 300 } });
    const options = { deployment, chance, path, name: 'judged', ...size };
    const { violations, summary } = await runRound(options);
    t.diagnostic(summary);
    assert.deepEqual(violations, []);
    const events = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const read = events.map((line) => JSON.parse(line) as Event);
    assert.deepEqual(judge(read), []);
    checkThatItCanFail(read);
  });
}

/** Each of these makes a history wrong in one place. */
function checkThatItCanFail(events: readonly Event[]): void {
  type Seen<Op> = Extract<Event, { op: Op }>;
  const without = <Op extends Event['op']>(op: Op, change: (event: Seen<Op>) => unknown) => {
    const copy = structuredClone([...events]);
    change(copy.findLast((event) => event.op === op) as Seen<Op>);
    assert.notDeepEqual(judge(copy), [], op);
  };
  without('final', ({ changes }) => changes.pop());
  without('final', ({ changes }) => changes.splice(3, 1));
  without('copy', ({ changes }) => changes.pop());
  without('head', (head) => head.sequence++);
  without('seal', (seal) => Object.assign(seal, { seal: '0'.repeat(64) }));
  without('export', (taken) => Object.assign(taken, { text: taken.text.replace(/\n[^\n]*\n/, '\n') }));
  without('totals', ({ rows }) => rows.pop());
  without('walk', ({ pages }) => pages[0]?.rows.shift());
}

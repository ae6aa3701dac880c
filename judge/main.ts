import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { givenDeployment, postgresPrograms, startDeployment } from './deployment.ts';
import { Chance, type Event } from './history.ts';
import { runRound } from './round.ts';
import { judge } from './rules.ts';

/*
 * npm run judge -- --minutes 10 --seed 1              judges services that it starts: SQLite and PostgreSQL, 1 to 3 instances
 * npm run judge -- --database sqlite --instances 2    one kind of them
 * npm run judge -- --url URL --operator-url URL --operator-key KEY    judges a running one, and ends nothing of it.
 *                                                     A further instance: --url and --operator-url again
 * npm run judge -- --check FILE                       judges a history again
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string', default: 'both' },
    instances: { type: 'string' },
    histories: { type: 'string', default: mkdtempSync(join(tmpdir(), 'histories-')) },
    check: { type: 'string' },
    url: { type: 'string', multiple: true },
    'operator-url': { type: 'string', multiple: true },
    'operator-key': { type: 'string' },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);

function report(found: readonly string[], path: string): void {
  if (found.length === 0) return;
  process.exitCode = 1;
  print(`${found.length} violations in ${path}:`);
  for (const one of found.slice(0, 20)) print(`- ${one}`);
}

function aDatabase(chance: Chance): string {
  const programs = postgresPrograms();
  if (values.database === 'sqlite') return 'sqlite';
  if (values.database === 'both' && (programs === undefined || chance.is(50))) return 'sqlite';
  if (programs !== undefined) return programs;
  throw new Error('PostgreSQL is not installed from packages of Debian');
}

async function run(): Promise<void> {
  mkdirSync(values.histories, { recursive: true });
  const end = Date.now() + Number(values.minutes) * 60_000;
  for (let number = 0; number < Number(values.rounds) && Date.now() < end && !process.exitCode; number++) {
    const seed = Number(values.seed) + number;
    const chance = new Chance(seed);
    const instances = (values.url ?? []).map((url, index) => ({
      url,
      operatorUrl: values['operator-url']?.[index] ?? '',
    }));
    const deployment =
      instances.length > 0
        ? givenDeployment(instances, values['operator-key'] ?? '')
        : await startDeployment({
            database: aDatabase(chance),
            instances: Number(values.instances ?? 1 + chance.below(3)),
          });
    const path = join(values.histories, `${seed}.ndjson`);
    try {
      const { violations, summary } = await runRound({ deployment, chance, path, name: `j${seed}` });
      print(`seed ${seed}: ${deployment.name}: ${summary}, ${violations.length} violations`);
      report(violations, path);
    } finally {
      await deployment.close();
    }
  }
}

if (values.check === undefined) await run();
else {
  const events = readFileSync(values.check, 'utf8').split('\n').slice(0, -1);
  const found = judge(events.map((line) => JSON.parse(line) as Event));
  print(`${events.length} events, ${found.length} violations`);
  report(found, values.check);
}

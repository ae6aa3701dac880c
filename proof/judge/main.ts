import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { givenService } from './driver.ts';
import { Chance, type Event } from './history.ts';
import { startService } from './processes.ts';
import { runRound, summaryOf } from './round.ts';
import { accountsOf, historyOf } from './rules.ts';

/*
 * npm run judge -- --minutes 10 --seed 1             starts services with 1 to 3 instances, and judges them
 * npm run judge -- --database sqlite --instances 2   starts only services on SQLite with 2 instances
 * npm run judge -- --plan archived,killed            runs these actions of the operator in each round
 * npm run judge -- --url URL --operator-url URL --operator-key KEY
 *     judges a running service. For a second instance, repeat --url and --operator-url
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string', default: 'both' },
    instances: { type: 'string' },
    histories: { type: 'string', default: mkdtempSync(join(tmpdir(), 'histories-')) },
    steps: { type: 'string', default: '6' },
    plan: { type: 'string' },
    url: { type: 'string', multiple: true },
    'operator-url': { type: 'string', multiple: true },
    'operator-key': { type: 'string' },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);

function report(found: readonly string[], events: readonly Event[], path: string): void {
  const [first] = found;
  if (first === undefined) return;
  process.exitCode = 1;
  const account = accountsOf(events).find((name) => first.startsWith(name));
  if (account !== undefined) for (const line of historyOf(events, account)) print(line);
  print(`${found.length} violations in ${path}:`);
  for (const one of found) print(`- ${one}`);
}

const isOnSqlite = (chance: Chance): boolean =>
  values.database === 'sqlite' || (values.database === 'both' && chance.is(50));

async function run(): Promise<void> {
  mkdirSync(values.histories, { recursive: true });
  const end = Date.now() + Number(values.minutes) * 60_000;
  for (let number = 0; Date.now() < end && !process.exitCode; number++) {
    const seed = Number(values.seed) + number;
    const chance = new Chance(seed);
    const instances = (values.url ?? []).map((url, index) => ({
      url,
      operatorUrl: values['operator-url']?.[index] ?? '',
    }));
    const driver =
      instances.length > 0
        ? givenService(instances, values['operator-key'] ?? '')
        : await startService({
            database: isOnSqlite(chance) ? 'sqlite' : 'postgres',
            instances: Number(values.instances ?? 1 + chance.below(3)),
          });
    const path = join(values.histories, `${seed}.ndjson`);
    try {
      const plan = values.plan?.split(',') ?? Number(values.steps);
      const { violations, history } = await runRound({ driver, chance, path, name: `j${seed}`, plan });
      print(`seed ${seed}: ${driver.name}: ${summaryOf(history)}, ${violations.length} violations`);
      report(violations, history.events, path);
    } finally {
      await driver.close();
    }
  }
}

await run();

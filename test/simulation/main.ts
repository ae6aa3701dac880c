import { parseArgs } from 'node:util';
import { runSeeds } from './run-seeds.ts';
import { simulate } from './simulate.ts';
import { simulateDeliveries } from './simulate-deliveries.ts';

/*
 * npm run simulate -- --seed N       replays one seed and prints its history
 * npm run simulate -- --seed N --deliveries  the same of deliveries to webhook endpoints
 * npm run simulate -- --seeds N      runs N seeds on all cores, starting with --first
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    deliveries: { type: 'boolean', default: false },
  },
});
const write = (line: string) => process.stdout.write(`${line}\n`);

if (values.seed !== undefined) {
  const { history, violation } = await (values.deliveries ? simulateDeliveries : simulate)(
    Number(values.seed),
  );
  for (const line of history) write(line);
  if (violation !== undefined) write(String(violation.stack));
  process.exitCode = violation === undefined ? 0 : 1;
} else {
  const beganMs = performance.now();
  const perSecond = (done: number) => (done / ((performance.now() - beganMs) / 1000)).toFixed(0);
  const { seeds, responses, failed } = await runSeeds({
    first: Number(values.first),
    count: Number(values.seeds),
    onProgress: (done) => {
      if (done % 500 === 0) write(`${done} seeds, ${perSecond(done)} a second`);
    },
  });
  if (failed !== undefined) {
    for (const line of failed.history) write(line);
    write(failed.violation);
    write(`npm run simulate -- --seed ${failed.seed}`);
    process.exitCode = 1;
  }
  write(`${seeds} seeds, ${responses} responses checked, ${perSecond(seeds)} seeds a second.`);
}

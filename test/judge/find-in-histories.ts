import { runHistory } from './histories.ts';

/*
 * node test/judge/find-in-histories.ts SEED COUNT PLAN
 * prints the violations of the first failing history of COUNT seeds
 */
const [first = '1', count = '1', plan = ''] = process.argv.slice(2);
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const { violations } = await runHistory(seed, { plan: plan.split(','), eventsBetween: 50 });
  process.stdout.write(`seed ${seed}: ${violations.join('\n')}\n`);
  if (violations.length > 0) break;
}

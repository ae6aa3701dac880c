/*
 * npm run bench            every benchmark at full size
 * npm run bench -- quick   every benchmark at a tenth of the size, in a few minutes (warm-up: 3 s, not 30)
 * npm run bench -- import  one benchmark
 */

import { importing } from './import.ts';
import { listRequests } from './list-requests.ts';
import { reads } from './reads.ts';
import { recording } from './recording.ts';
import { type DataSize, FULL, QUICK, rowsOf, TINY } from './rig/data.ts';
import { type Finding, machine, reportOf } from './rig/report.ts';
import type { Rounds } from './rig/rounds.ts';

interface Scale extends Rounds {
  size: DataSize;
  recorded: DataSize;
}

const SCALES: Record<string, Scale> = {
  full: { size: FULL, recorded: QUICK, rounds: 15, secondsEach: 3, warmUpSeconds: 30 },
  quick: { size: QUICK, recorded: QUICK, rounds: 5, secondsEach: 1, warmUpSeconds: 3 },
  tiny: { size: TINY, recorded: TINY, rounds: 1, secondsEach: 0.1, warmUpSeconds: 0 },
};

const BENCHMARKS: Record<string, (scale: Scale) => Promise<Finding[]>> = {
  'list-requests': (scale) => listRequests(scale.size, scale),
  reads: (scale) => reads(scale.size, { ...scale, rounds: Math.min(5, scale.rounds) }),
  import: (scale) => importing(scale.size, Math.min(3, scale.rounds)),
  recording: (scale) => recording(scale.recorded, scale),
};

const words = process.argv.slice(2);
const unknown = words.find((word) => !(word in SCALES) && !(word in BENCHMARKS));
if (unknown !== undefined) {
  console.error(
    `${unknown} is neither a scale (${Object.keys(SCALES).join(', ')}) nor a benchmark (${Object.keys(BENCHMARKS).join(', ')}).`,
  );
  process.exit(2);
}
const scale = SCALES[words.find((word) => word in SCALES) ?? 'full'] as Scale;
const chosen = words.filter((word) => word in BENCHMARKS);

console.log(machine());
console.log(
  `${rowsOf(scale.size).toLocaleString('en')} rows, ${scale.size.largeRows.toLocaleString('en')} of them in one account; at most ${scale.rounds} rounds, after ${scale.warmUpSeconds} s of requests.`,
);
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  try {
    console.log(`\n${reportOf(await run(scale))}`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} failed:`, error);
  }
}

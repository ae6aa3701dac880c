/*
 * npm run bench            every benchmark at full size
 * npm run bench -- quick   every benchmark at a tenth of the size, in about a minute
 * npm run bench -- import  one benchmark
 */

import { changes } from './changes.ts';
import { charts } from './charts.ts';
import { copying } from './copy.ts';
import { exports } from './exports.ts';
import { growth, growthOverHttp } from './growth.ts';
import { importing } from './import.ts';
import { listRequests, type Rounds } from './list-requests.ts';
import { overload } from './overload.ts';
import { peers } from './peers.ts';
import { postgresBenchmarks } from './postgres.ts';
import { reconciling } from './reconcile.ts';
import { recording } from './recording.ts';
import { type DataSize, FULL, HUGE, QUICK, rowsOf, TINY } from './rig/data.ts';
import { type Finding, machine, reportOf } from './rig/report.ts';
import { tail } from './tail.ts';
import { versions } from './versions.ts';
import { webhooks } from './webhooks.ts';
import { workDuringImport } from './work-during-import.ts';
import { workers } from './workers.ts';

interface Scale extends Rounds {
  size: DataSize;
  small: DataSize;
  /** The rows of the benchmarks that record them in each round. */
  recorded: DataSize;
}

const SMALL: DataSize = { largeRows: 10_000, smallAccounts: 1, smallRows: 1 };

const SCALES: Record<string, Scale> = {
  full: { size: FULL, small: SMALL, recorded: QUICK, rounds: 9, secondsEach: 2 },
  quick: { size: QUICK, small: SMALL, recorded: QUICK, rounds: 5, secondsEach: 1 },
  huge: { size: HUGE, small: SMALL, recorded: QUICK, rounds: 5, secondsEach: 2 },
  tiny: { size: TINY, small: TINY, recorded: TINY, rounds: 1, secondsEach: 0.1 },
};

const BENCHMARKS: Record<string, (scale: Scale) => Promise<Finding[]>> = {
  'list-requests': (scale) => listRequests(scale.size, scale),
  workers: (scale) => workers(scale.size, scale),
  growth: (scale) => growth(scale.size, scale.small, scale),
  'growth-over-http': (scale) =>
    growthOverHttp(scale.size, { ...scale, secondsEach: Math.min(1, scale.secondsEach) }),
  import: (scale) => importing(scale.size, { ...scale, rounds: Math.min(3, scale.rounds) }),
  reconcile: (scale) => reconciling(scale.size, { ...scale, rounds: Math.min(3, scale.rounds) }),
  'work-during-import': (scale) => workDuringImport(scale.size, scale),
  recording: (scale) => recording(scale.recorded, scale),
  changes: (scale) => changes(scale.size, { ...scale, rounds: Math.min(5, scale.rounds) }),
  exports: (scale) => exports(scale.size, { ...scale, rounds: Math.min(5, scale.rounds) }),
  copy: (scale) => copying(scale.size, scale),
  webhooks: (scale) => webhooks(scale.size, scale),
  versions: (scale) => versions(scale.recorded, scale),
  overload: (scale) => overload(scale.size, { ...scale, rounds: Math.min(5, scale.rounds) }),
  tail: (scale) => tail(scale.recorded, scale),
  charts: (scale) => charts(sizesUpTo(scale.size), scale),
  peers: (scale) => peers(scale.recorded, scale),
  postgres: (scale) => postgresBenchmarks(scale.size, scale.small, scale),
};

/** The sizes that the charts compare. None at the scale `tiny`, whose figures mean nothing. */
function sizesUpTo(size: DataSize): DataSize[] {
  return [SMALL, QUICK, FULL, HUGE].filter((one) => size !== TINY && rowsOf(one) <= rowsOf(size));
}

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

const findings: Finding[] = [];
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (chosen.length === 0 || chosen.includes(name)) findings.push(...(await run(scale)));
}
console.log(machine());
console.log(
  `${rowsOf(scale.size).toLocaleString('en')} rows, ${scale.size.largeRows.toLocaleString('en')} of them in one account; ${scale.rounds} rounds.\n`,
);
console.log(reportOf(findings));

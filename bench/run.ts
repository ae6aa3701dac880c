/*
 * npm run bench            every question at full size
 * npm run bench -- quick   the same at a tenth of it, in about a minute
 * npm run bench -- import  one question
 */
import { besideImport } from './beside-import.ts';
import { charts } from './charts.ts';
import { growth, growthOverHttp } from './growth.ts';
import { importing } from './import.ts';
import { listRequests, type Rounds } from './list-requests.ts';
import { overload } from './overload.ts';
import { peers } from './peers.ts';
import { onPostgres } from './postgres.ts';
import { recording } from './recording.ts';
import { type DataSize, FULL, HUGE, QUICK, rowsOf, TINY } from './rig/data.ts';
import { type Finding, machine, reportOf } from './rig/report.ts';
import { workers } from './workers.ts';

interface Scale extends Rounds {
  size: DataSize;
  small: DataSize;
  /** What a recording is measured with. */
  recorded: DataSize;
}

const SMALL: DataSize = { largeRows: 10_000, smallAccounts: 1, smallRows: 1 };

const SCALES: Record<string, Scale> = {
  full: { size: FULL, small: SMALL, recorded: QUICK, rounds: 9, secondsEach: 2 },
  quick: { size: QUICK, small: SMALL, recorded: QUICK, rounds: 5, secondsEach: 1 },
  huge: { size: HUGE, small: SMALL, recorded: QUICK, rounds: 5, secondsEach: 2 },
  tiny: { size: TINY, small: TINY, recorded: TINY, rounds: 1, secondsEach: 0.25 },
};

const QUESTIONS: Record<string, (scale: Scale) => Promise<Finding[]>> = {
  'list-requests': (scale) => listRequests(scale.size, scale),
  workers: (scale) => workers(scale.size, scale),
  growth: (scale) => growth(scale.size, scale.small, scale),
  'growth-over-http': (scale) =>
    growthOverHttp(scale.size, { ...scale, secondsEach: Math.min(1, scale.secondsEach) }),
  import: (scale) => importing(scale.size, { ...scale, rounds: Math.min(3, scale.rounds) }),
  'beside-import': (scale) => besideImport(scale.size, scale),
  recording: (scale) => recording(scale.recorded, scale),
  overload: (scale) => overload(scale.size, { ...scale, rounds: Math.min(5, scale.rounds) }),
  charts: (scale) => charts(sizesUpTo(scale.size), scale),
  peers: (scale) => peers(scale.recorded, scale),
  postgres: (scale) => onPostgres(scale.size, scale.small, scale),
};

/** What is drawn beside each other; nothing at the smallest scale, whose figures mean nothing. */
function sizesUpTo(size: DataSize): DataSize[] {
  return [SMALL, QUICK, FULL, HUGE].filter((one) => size !== TINY && rowsOf(one) <= rowsOf(size));
}

const words = process.argv.slice(2);
const unknown = words.find((word) => !(word in SCALES) && !(word in QUESTIONS));
if (unknown !== undefined) {
  console.error(
    `${unknown} is neither a scale (${Object.keys(SCALES).join(', ')}) nor a question (${Object.keys(QUESTIONS).join(', ')}).`,
  );
  process.exit(2);
}
const scale = SCALES[words.find((word) => word in SCALES) ?? 'full'] as Scale;
const asked = words.filter((word) => word in QUESTIONS);

const findings: Finding[] = [];
for (const [name, question] of Object.entries(QUESTIONS)) {
  if (asked.length === 0 || asked.includes(name)) findings.push(...(await question(scale)));
}
console.log(machine());
console.log(
  `${rowsOf(scale.size).toLocaleString('en')} rows, ${scale.size.largeRows.toLocaleString('en')} of them in one account; ${scale.rounds} rounds.\n`,
);
console.log(reportOf(findings));

/*
 * npm run bench            every benchmark at full size
 * npm run bench -- quick   every benchmark at a tenth of the size, in a few minutes (warm-up: 3 s, not 15)
 * npm run bench -- import  one benchmark
 *
 * At full size, the figures of a benchmark are written into docs/performance.md, unless other programs used
 * the machine meanwhile.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { changes } from './changes.ts';
import { exports } from './exports.ts';
import { growth } from './growth.ts';
import { importing } from './import.ts';
import { listRequests } from './list-requests.ts';
import { recording } from './recording.ts';
import { type DataSize, FULL, HUGE, QUICK, rowsOf, TINY } from './rig/data.ts';
import { withFigures } from './rig/document.ts';
import { MAX_OTHERS, watchOthers } from './rig/others.ts';
import { type Finding, machine, reportOf } from './rig/report.ts';
import type { Rounds } from './rig/rounds.ts';

interface Scale extends Rounds {
  size: DataSize;
  small: DataSize;
  /** How many rows a benchmark records in each round. */
  recorded: DataSize;
}

const SMALL: DataSize = { largeRows: 10_000, smallAccounts: 1, smallRows: 1 };

const SCALES: Record<string, Scale> = {
  full: { size: FULL, small: SMALL, recorded: QUICK, rounds: 9, secondsEach: 2, warmUpSeconds: 15 },
  quick: { size: QUICK, small: SMALL, recorded: QUICK, rounds: 5, secondsEach: 1, warmUpSeconds: 3 },
  huge: { size: HUGE, small: SMALL, recorded: QUICK, rounds: 5, secondsEach: 2, warmUpSeconds: 15 },
  tiny: { size: TINY, small: TINY, recorded: TINY, rounds: 1, secondsEach: 0.1, warmUpSeconds: 0 },
};

const BENCHMARKS: Record<string, (scale: Scale) => Promise<Finding[]>> = {
  'list-requests': (scale) => listRequests(scale.size, scale),
  growth: (scale) => growth(scale.size, scale.small, scale.rounds),
  import: (scale) => importing(scale.size, Math.min(3, scale.rounds)),
  recording: (scale) => recording(scale.recorded, scale),
  changes: (scale) => changes(scale.size, Math.min(5, scale.rounds)),
  exports: (scale) => exports(scale.size, { ...scale, rounds: Math.min(5, scale.rounds) }),
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
  `${rowsOf(scale.size).toLocaleString('en')} rows, ${scale.size.largeRows.toLocaleString('en')} of them in one account; ${scale.rounds} rounds after ${scale.warmUpSeconds} s of requests.`,
);
// A benchmark that fails does not end the others.
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  try {
    const others = watchOthers();
    const findings = await run(scale);
    console.log(`\n${reportOf(findings)}`);
    putIntoDocument(findings, others());
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} failed:`, error);
  }
}

/**
 * Prints the rows of the document that have new figures, and writes them if they are of full size and of a
 * quiet machine.
 */
function putIntoDocument(findings: readonly Finding[], others: number): void {
  const path = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
  const { document, changed } = withFigures(readFileSync(path, 'utf8'), findings);
  if (changed.length === 0) return;
  console.log(`\n${changed.join('\n')}`);
  const share = `${Math.round(others * 100)} %`;
  if (others > MAX_OTHERS) console.log(`Not written: other programs used ${share} of the processors.`);
  else if (scale !== SCALES['full']) console.log('Not written: this was not a run at full size.');
  else {
    writeFileSync(path, document);
    console.log(`Written to docs/performance.md. Other programs used ${share} of the processors.`);
  }
}

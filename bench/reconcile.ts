import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Rounds } from './list-requests.ts';
import type { DataSize } from './rig/data.ts';
import { type Finding, note } from './rig/report.ts';
import { ratioOf, shown, spreadOf } from './rig/statistics.ts';

const PROGRAM = fileURLToPath(new URL('./rig/reconciler.ts', import.meta.url));
const MAX_OUTPUT_BYTES = 2 ** 26;

/** Rows a second and memory of comparing a file with as many transactions, which the same process generates. */
export async function reconciling({ largeRows }: DataSize, { rounds }: Rounds): Promise<Finding[]> {
  const rates: number[] = [];
  const peaks: number[] = [];
  const smallPeaks: number[] = [];
  for (let round = 0; round < rounds; round++) {
    note(`reconcile: round ${round + 1} of ${rounds}`);
    smallPeaks.push((await reconcile(largeRows / 4)).peakMb);
    const { seconds, peakMb } = await reconcile(largeRows);
    rates.push((2 * largeRows) / seconds);
    peaks.push(peakMb);
  }
  const name = `reconcile: ${largeRows.toLocaleString('en')} lines with as many transactions`;
  return [
    { name: `${name}, rows a second`, figure: shown(spreadOf(rates), 0), goal: 'at least 50,000' },
    { name: `${name}, peak memory, MB`, figure: shown(spreadOf(peaks), 0), goal: 'under 400' },
    {
      name: `${name}, peak memory, relative to a quarter of the rows`,
      figure: shown(ratioOf(peaks, smallPeaks)),
      goal: 'flat',
    },
  ];
}

async function reconcile(rows: number): Promise<{ seconds: number; peakMb: number }> {
  const { stderr } = await promisify(execFile)(process.execPath, [PROGRAM, String(rows)], {
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
}

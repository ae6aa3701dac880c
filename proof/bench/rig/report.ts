import { cpus, totalmem } from 'node:os';
import packageJson from '#package' with { type: 'json' };
import { table } from '../../../values/terminal/table.ts';
import { type Spread, shown } from './statistics.ts';

export interface Finding {
  name: string;
  figure: string;
  goal: string;
}

export const finding = (name: string, spread: Spread, goal = '', digits = 2): Finding => ({
  name,
  figure: shown(spread, digits),
  goal,
});

export function machine(): string {
  const [cpu] = cpus();
  return (
    `transactions ${packageJson.version}, Node ${process.versions.node}, SQLite ${process.versions['sqlite']}; ` +
    `${cpus().length} cores of ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  );
}

export function reportOf(findings: readonly Finding[]): string {
  return table(
    [
      { title: 'MEASURE', text: ({ name }) => name },
      { title: 'MEDIAN (LEAST TO MOST)', text: ({ figure }) => figure },
      { title: 'GOAL', text: ({ goal }) => goal },
    ],
    findings,
  ).join('\n');
}

export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

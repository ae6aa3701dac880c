import { cpus, totalmem } from 'node:os';
import packageJson from '#package' with { type: 'json' };
import { table } from '../../src/cli/output.ts';

/** One line of the report: what was measured, the figure, and what it should be. */
export interface Finding {
  question: string;
  figure: string;
  goal: string;
}

export function machine(): string {
  const [cpu] = cpus();
  return (
    `transactions ${packageJson.version}, Node ${process.versions.node}, SQLite ${process.versions['sqlite']}; ` +
    `${cpus().length} cores of ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  );
}

export function reportOf(findings: readonly Finding[]): string {
  return table(
    ['QUESTION', 'MEASURED: MEDIAN (LEAST TO MOST)', 'GOAL'],
    findings.map(({ question, figure, goal }) => [question, figure, goal]),
  ).join('\n');
}

/** Long work shows how far it has come. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

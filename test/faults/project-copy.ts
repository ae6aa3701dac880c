import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { MIGRATED_VARIABLE } from '../rig/run/global-setup.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import type { Outcome } from './outcomes.ts';
import { type PlantedFault, testOf } from './planted-faults.ts';
import { brokenText, ROOT, type SourceChange } from './source-change.ts';

/** A broken copy can hang. No test of the table takes a tenth of this on a quiet machine. */
const HUNG_MS = 300_000;
/** What a planted fault did. */
export interface Trial {
  isFound: boolean;
  output: string;
}

const NOT_COPIED = ['node_modules', '.git'];

/** A copy of the project in a temporary folder: faults are never planted in the checkout. */
export class ProjectCopy {
  readonly #folder = temporaryFolder();

  constructor() {
    for (const entry of readdirSync(ROOT)) {
      if (NOT_COPIED.includes(entry)) continue;
      cpSync(`${ROOT}${entry}`, `${this.#folder.path}/${entry}`, {
        recursive: true,
        filter: (path) => !NOT_COPIED.includes(basename(path)),
      });
    }
    symlinkSync(`${ROOT}node_modules`, `${this.#folder.path}/node_modules`);
  }

  remove(): void {
    // The link alone, not what it leads to.
    rmSync(`${this.#folder.path}/node_modules`);
    this.#folder.remove();
  }

  /** Plants a fault, runs its test file and takes the fault out again. It is found if a test fails as it must. */
  async plant({ file, from, to, test, error }: PlantedFault): Promise<Trial> {
    const path = `${this.#folder.path}/${file}`;
    writeFileSync(path, brokenText({ file, from, to }));
    try {
      const { outcomes, output } = await this.#run(testOf({ file, test }), file);
      const fails = ({ hasPassed, isAssertion, message }: Outcome) =>
        !hasPassed && (error === undefined ? isAssertion : message.includes(error));
      return { isFound: outcomes.some(fails), output };
    } finally {
      writeFileSync(path, readFileSync(ROOT + file));
    }
  }

  /** Runs a test file without a fault. */
  async passes(test: string): Promise<{ isPassed: boolean; output: string }> {
    const { outcomes, output } = await this.#run(test);
    return { isPassed: outcomes.length > 0 && outcomes.every(({ hasPassed }) => hasPassed), output };
  }

  async #run(
    test: string,
    changed: SourceChange['file'] = '',
  ): Promise<{ outcomes: Outcome[]; output: string }> {
    // With the first variable, node would report to the runner that started this process.
    const { NODE_TEST_CONTEXT: _, [MIGRATED_VARIABLE]: migrated, ...env } = process.env;
    const path = `${this.#folder.path}/outcomes.jsonl`;
    const reporters = ['./test/faults/outcomes.ts', path, 'spec', 'stdout'].map(
      (value, index) => `--test-reporter${index % 2 === 0 ? '' : '-destination'}=${value}`,
    );
    rmSync(path, { force: true });
    const ended = await promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--test-force-exit', ...reporters, test],
      {
        cwd: this.#folder.path,
        env: {
          ...env,
          // The migrated database of the run has the schema without the fault.
          ...(migrated !== undefined && !changed.endsWith('.sql') && { [MIGRATED_VARIABLE]: migrated }),
          NODE_COMPILE_CACHE: `${this.#folder.path}/.cache`,
          TEST_SEED: '1',
        },
        maxBuffer: 2 ** 28,
        timeout: HUNG_MS,
        killSignal: 'SIGKILL',
      },
    ).catch((error) => error as { stdout: string; stderr: string });
    // Without the file, the test file did not load.
    const outcomes = (existsSync(path) ? readFileSync(path, 'utf8') : '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Outcome);
    return { outcomes, output: `${ended.stdout}\n${ended.stderr}` };
  }
}

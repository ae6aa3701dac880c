import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { runConformance } from '../../proof/conformance/index.js';
import { createFilled, type FilledKeys } from '../conformance/filled-service.ts';
import { MIGRATED_VARIABLE } from '../rig/run/global-setup.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { startWebhookService } from '../rig/webhooks/webhook-service.ts';
import type { Outcome } from './outcomes.ts';
import type { PlantedFault } from './planted-faults.ts';
import { brokenText, ROOT, type SourceChange } from './source-change.ts';

const HUNG_MS = 300_000;
const NOT_COPIED = ['node_modules', '.git'];
const SETTINGS = { DATABASE_URL: 'sqlite:conformance.db' };

export class FaultTrials {
  readonly #folder = temporaryFolder();
  readonly project = `${this.#folder.path}/project`;
  #keys: Promise<FilledKeys> | undefined;

  constructor() {
    for (const entry of readdirSync(ROOT)) {
      if (NOT_COPIED.includes(entry)) continue;
      cpSync(`${ROOT}${entry}`, `${this.project}/${entry}`, {
        recursive: true,
        filter: (path) => !NOT_COPIED.includes(basename(path)),
      });
    }
    symlinkSync(`${ROOT}node_modules`, `${this.project}/node_modules`);
  }

  remove(): void {
    rmSync(`${this.project}/node_modules`);
    this.#folder.remove();
  }

  plant(fault: PlantedFault) {
    return this.withFault(fault, () =>
      fault.checks.length > 0 ? this.#findByKit(fault) : this.#findByTest(fault),
    );
  }

  async withFault<Result>(change: SourceChange, work: () => Promise<Result>): Promise<Result> {
    const path = `${this.project}/${change.file}`;
    writeFileSync(path, brokenText(change));
    try {
      return await work();
    } finally {
      writeFileSync(path, readFileSync(ROOT + change.file));
    }
  }

  async whyFailing(fault: PlantedFault): Promise<string | undefined> {
    if (fault.checks.length > 0) return undefined;
    const { outcomes, output } = await this.#run(fault.test);
    const isPassed = outcomes.length > 0 && outcomes.every(({ hasPassed }) => hasPassed);
    return isPassed ? undefined : output;
  }

  async #findByKit({ checks }: PlantedFault) {
    const filled = `${this.#folder.path}/filled`;
    this.#keys ??= createFilled({ cwd: filled, env: SETTINGS });
    const options = await this.#keys;
    const cwd = mkdtempSync(`${this.#folder.path}/trial-`);
    cpSync(filled, cwd, { recursive: true });
    const binary = `${this.project}/bin/transactions.js`;
    const served = await startWebhookService({ cwd, binary, env: SETTINGS });
    try {
      const { url, operatorUrl } = served;
      const only = [...checks];
      const { results, stopped } = await runConformance({ url, operatorUrl, ...options, only, seed: 1 });
      const lines = results.map(({ id, outcome, reason, failure }) =>
        [id, outcome, reason, failure && `expected ${failure.expected}, got ${failure.got}`]
          .filter((part) => part !== undefined)
          .join(': '),
      );
      const failed = new Set(results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id));
      return { isFound: checks.every((id) => failed.has(id)), output: [stopped ?? '', ...lines].join('\n') };
    } finally {
      await served.stop('SIGKILL');
    }
  }

  async #findByTest({ file, test, error }: PlantedFault) {
    const { outcomes, output } = await this.#run(test, file);
    const fails = ({ hasPassed, isAssertion, message }: Outcome) =>
      !hasPassed && (error === undefined ? isAssertion : message.includes(error));
    return { isFound: outcomes.some(fails), output };
  }

  async #run(test: string, changed = ''): Promise<{ outcomes: Outcome[]; output: string }> {
    // If NODE_TEST_CONTEXT were inherited, node would report to the runner that started this process.
    const { NODE_TEST_CONTEXT: _, [MIGRATED_VARIABLE]: migratedDatabase, ...env } = process.env;
    const path = `${this.#folder.path}/outcomes.jsonl`;
    const reporters = ['./test/faults/outcomes.ts', path, 'spec', 'stdout'].map(
      (value, index) => `--test-reporter${index % 2 === 0 ? '' : '-destination'}=${value}`,
    );
    rmSync(path, { force: true });
    const ended = await promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--test-force-exit', ...reporters, test],
      {
        cwd: this.project,
        env: {
          ...env,
          ...(migratedDatabase !== undefined &&
            !changed.includes('/migrations/') && { [MIGRATED_VARIABLE]: migratedDatabase }),
          NODE_COMPILE_CACHE: `${this.#folder.path}/.cache`,
          TEST_SEED: '1',
          // In the short tier, most tests of the page do not run.
          TEST_TIER: test.startsWith('test/page/') ? 'long' : 'short',
        },
        maxBuffer: 2 ** 28,
        timeout: HUNG_MS,
        killSignal: 'SIGKILL',
      },
    ).catch((error) => error as { stdout: string; stderr: string });
    const outcomes = (existsSync(path) ? readFileSync(path, 'utf8') : '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Outcome);
    return { outcomes, output: `${ended.stdout}\n${ended.stderr}` };
  }
}

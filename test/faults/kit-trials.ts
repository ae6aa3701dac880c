import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runConformance } from '../../conformance/index.js';
import { createFilled, type FilledKeys, startFilled } from '../conformance/filled-service.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import type { PlantedFault } from './planted-faults.ts';
import type { Trial } from './project-copy.ts';

const PLANT = fileURLToPath(new URL('plant-module.ts', import.meta.url));
const SETTINGS = { DATABASE_URL: 'sqlite:conformance.db' };

/** Runs checks of the kit against the service with a fault, each time on a copy of the same database. */
export class KitTrials {
  readonly #folder = temporaryFolder();
  #keys: Promise<FilledKeys> | undefined;

  /** Starts the service with a fault and runs its checks: it is found if each of them fails. */
  async plant({ file, from, to, checks }: PlantedFault): Promise<Trial> {
    const filled = join(this.#folder.path, 'filled');
    this.#keys ??= createFilled({ cwd: filled, env: SETTINGS });
    const options = await this.#keys;
    const cwd = mkdtempSync(join(this.#folder.path, 'trial-'));
    cpSync(filled, cwd, { recursive: true });
    const served = await startFilled({
      cwd,
      nodeOptions: [`--import=${PLANT}`],
      env: { ...SETTINGS, PLANTED_CHANGE: JSON.stringify({ file, from, to }) },
    });
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

  remove(): void {
    this.#folder.remove();
  }
}

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { temporaryFolder } from '../run/temporary-folder.ts';
import {
  createKey,
  importCsv,
  type Outcome,
  type RunOptions,
  run,
  type Served,
  startServe,
} from './process.ts';

export function importedService(csv: string) {
  const folder = temporaryFolder();
  const cwd = folder.path;
  let served: Served;
  let key: string;
  before(async () => {
    await importCsv(csv, { cwd });
    key = await createKey('store-1', { cwd });
    served = await startServe({ cwd });
  });
  after(async () => {
    await served?.stop();
    folder.remove();
  });
  const optionsOf = () => ({ cwd, env: { TRANSACTIONS_API_KEY: key, PORT: new URL(served.url).port } });
  return {
    folder: cwd,
    get url() {
      return served.url;
    },
    get key() {
      return key;
    },
    get options(): RunOptions & { env: Record<string, string> } {
      return optionsOf();
    },
    run: async (
      args: readonly string[],
      { env, ...options }: Pick<RunOptions, 'env' | 'stdin'> = {},
    ): Promise<Outcome> => {
      const { env: own } = optionsOf();
      const outcome = await run(args, { cwd, ...options, env: { ...own, ...env } });
      assert.ok(!(outcome.stdout + outcome.stderr).includes(key));
      return outcome;
    },
    import: (lines: string) => importCsv(lines, { cwd }),
  };
}

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

/** A running service of a suite, with an imported database in a temporary folder. */
interface ImportedService {
  /** The path of the folder. */
  folder: string;
  url: string;
  /** A key of store-1. */
  key: string;
  /** The options of a command that calls the service. */
  options: RunOptions & { env: Record<string, string> };
  /** Runs a command that calls the service. Its output must never hold the key. */
  run(args: readonly string[], options?: Pick<RunOptions, 'env' | 'stdin'>): Promise<Outcome>;
  /** Imports more lines. */
  import(csv: string): Promise<void>;
  /** Creates a key and revokes it. */
  revokedKey(): Promise<string>;
  /** Stops the service, with a signal. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port. */
  startAgain(): Promise<void>;
}

/** Imports a CSV and starts `serve` before the tests of the suite that calls this; removes both after them. */
export function importedService(csv: string): ImportedService {
  const folder = temporaryFolder();
  const cwd = folder.path;
  let served: Served;
  let key: string;

  const service: ImportedService = {
    folder: cwd,
    get url() {
      return served.url;
    },
    get key() {
      return key;
    },
    get options() {
      return { cwd, env: { TRANSACTIONS_API_KEY: key, PORT: new URL(served.url).port } };
    },
    run: async (args, { env, stdin } = {}) => {
      const { options } = service;
      const given = { ...(stdin !== undefined && { stdin }), env: { ...options.env, ...env } };
      const outcome = await run(args, { ...options, ...given });
      assert.ok(!(outcome.stdout + outcome.stderr).includes(key));
      return outcome;
    },
    import: (lines) => importCsv(lines, { cwd }),
    revokedKey: async () => {
      const made = await run(['keys', 'create', '--account', 'store-1', '--json'], { cwd });
      const revoked = JSON.parse(made.stdout) as { id: string; key: string };
      const { status, stderr } = await run(['keys', 'revoke', revoked.id], { cwd });
      assert.equal(status, 0, stderr);
      return revoked.key;
    },
    stop: async (signal) => void (await served.stop(signal)),
    startAgain: async () => {
      served = await startServe({ cwd, env: { PORT: new URL(served.url).port } });
    },
  };
  before(async () => {
    await importCsv(csv, { cwd });
    key = await createKey('store-1', { cwd });
    served = await startServe({ cwd });
  });
  after(async () => {
    await served?.stop();
    folder.remove();
  });
  return service;
}

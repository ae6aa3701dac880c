import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '../../src/store/store.ts';

/** The folder of this version's code. */
export const THIS_VERSION = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of the version to compare with, with its node_modules. Without one, this version is compared with itself. */
export const VERSION_BEFORE = process.env['BENCH_BEFORE'] ?? THIS_VERSION;

export const binaryOf = (root: string) => join(root, 'bin/transactions.js');

type OpenStore = typeof import('../../src/store/open-store.ts');

/** Opens a database with the code of a version, which brings its schema up to date. */
export async function openStoreOf(root: string, databaseUrl: string): Promise<Store> {
  const { openStore }: OpenStore = await import(join(root, 'src/store/open-store.ts'));
  return (await openStore(databaseUrl, Date.now)).store;
}

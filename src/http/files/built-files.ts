import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { BuiltFile } from '../../../release/files/build-files.ts';

export type { BuiltFile };

export type ReadBuiltFile = (name: BuiltFile) => Promise<Buffer>;

/** release/build-package.ts writes this folder into a package. A clone of the repository lacks it. */
const PACKED = new URL('../../../built/', import.meta.url);

export const isPacked: boolean = existsSync(PACKED);

const reading = new Map<BuiltFile, Promise<Buffer>>();

/**
 * An installed package has the built files. In a clone, each file is built when it is first read, so that
 * nothing has to be built before the service starts.
 */
export const readBuiltFile: ReadBuiltFile = (name) => {
  const known = reading.get(name);
  if (known !== undefined) return known;
  const read = isPacked ? readFile(new URL(name, PACKED)) : build(name);
  reading.set(name, read);
  read.catch(() => reading.delete(name));
  return read;
};

async function build(name: BuiltFile): Promise<Buffer> {
  const { BUILDS } = await import('../../../release/files/build-files.ts');
  return Buffer.from(await BUILDS[name]());
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BLOCK_BYTES = 512;
/** npm installs any time; one time makes equal content equal bytes. */
const TIME_SECONDS = Date.UTC(2000, 0, 1) / 1000;
const DOCUMENTS = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];

/**
 * An installable package of a folder with a package.json and the folder `dist` that was built of it. The same content
 * gives the same bytes.
 */
export function packPackage(folder: string, dist: string): Buffer {
  const built = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`dist${path.slice(dist.length)}`, readFileSync(path)] as const);
  const documents = DOCUMENTS.map((name) => [name, readFileSync(join(folder, name))] as const);
  const entries = [...documents, ...built].sort(([one], [other]) => (one < other ? -1 : 1));
  const blocks = entries.flatMap(([path, bytes]) => [
    header(`package/${path}`, bytes.length),
    bytes,
    Buffer.alloc(-bytes.length & (BLOCK_BYTES - 1)),
  ]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)]), { level: 9 });
}

/** Source: POSIX.1-1988, the ustar format. */
function header(path: string, bytes: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  if (path.length > 100) throw new Error(`${path} is too long for a header of tar`);
  block.write(path, 0);
  block.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  block.write(`${octal(bytes, 11)}\0${octal(TIME_SECONDS, 11)}\0        0`, 124);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

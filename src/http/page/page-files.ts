import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname, posix } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** One file of the page, ready to be sent. */
export interface PageFile {
  type: string;
  bytes: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

export interface PageFiles {
  /** Changes with any of the files, which may so be kept for ever. */
  version: string;
  /** The page itself, with the addresses of its files. */
  html: PageFile;
  /** By their paths below the version. */
  files: ReadonlyMap<string, PageFile>;
}

export interface PageSource {
  /** The repository's root, which the paths of files start from. */
  root: URL;
  /** The page, from the root. */
  html: string;
  /** What stands in the page in the place of other texts. */
  values: Readonly<Record<string, string>>;
  /** Each address of the page's own files begins with it, and the version follows. */
  prefix: string;
  /** The packages that modules may import by their names. */
  packages: readonly string[];
}

/** Where the page names the root of its files, and where it wants its modules preloaded. */
const FILES = '{files}';
const MODULES = '<!-- modules -->';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
};

const NAMED_BY_HTML = /(?:href|src)="([^"]+)"/g;
const NAMED_BY_MODULE = /(\b(?:from|import)\s*\(?\s*)(['"])([^'"\n]+)\2/g;

/**
 * Reads what the page names, and what that imports in turn. Types are stripped from modules; the imports of a
 * browser are those of the source. So nothing has to be built before the service starts.
 */
export async function readPageFiles(source: PageSource): Promise<PageFiles> {
  const { root, prefix } = source;
  let template = await readFile(new URL(source.html, root), 'utf8');
  for (const [name, value] of Object.entries(source.values)) template = template.replaceAll(name, value);
  const texts = new Map<string, string>();
  const gather = async (path: string) => {
    if (texts.has(path)) return;
    texts.set(path, '');
    const { text, imports } = await readText(source, path);
    texts.set(path, text);
    for (const imported of imports) await gather(imported);
  };
  for (const [, address = ''] of template.matchAll(NAMED_BY_HTML)) {
    if (address.startsWith(`${FILES}/`)) await gather(address.slice(FILES.length + 1));
  }

  const hash = createHash('sha256').update(template);
  for (const [path, text] of texts) hash.update(`\0${path}\0${text}`);
  const version = hash.digest('base64url').slice(0, 16);
  const base = `${prefix}${version}`;
  const modules = [...texts.keys()].filter((path) => TYPES[extname(path)] === TYPES['.js']);
  const preloads = modules.map((path) => `<link rel="modulepreload" href="${base}/${path}">`);
  const html = template.replace(MODULES, preloads.join('\n    ')).replaceAll(FILES, base);

  const files = await Promise.all(
    [...texts].map(async ([path, text]) => [path, await pack(extname(path), text)] as const),
  );
  return { version, html: await pack('.html', html), files: new Map(files) };
}

/** The text of a file as a browser takes it, and the paths of what it imports. */
async function readText(source: PageSource, path: string): Promise<{ text: string; imports: string[] }> {
  const url = new URL(sourceOf(source, path), source.root);
  const text = await readFile(url, 'utf8');
  const extension = extname(path);
  if (TYPES[extension] !== TYPES['.js']) return { text, imports: [] };

  const imports: string[] = [];
  const script = extension === '.ts' ? stripTypes(text) : text.replace(/^\/\/# sourceMappingURL=.*$/m, '');
  const linked = script.replaceAll(NAMED_BY_MODULE, (whole, keyword, quote, name) => {
    const target = name.startsWith('.') ? posix.join(posix.dirname(path), name) : packagePath(source, name);
    if (target === undefined) return whole;
    imports.push(target);
    const relative = posix.relative(posix.dirname(path), target);
    return `${keyword}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
  });
  return { text: linked, imports };
}

const packagePath = ({ packages }: PageSource, name: string) =>
  packages.includes(name) ? `packages/${name}.js` : undefined;

/** Where the file of a path lies: packages lie where Node finds them. */
function sourceOf({ packages }: PageSource, path: string): string {
  const name = packages.find((one) => path === `packages/${one}.js`);
  return name === undefined ? path : import.meta.resolve(name);
}

/** Node warns at the first call that this is experimental, as it did of the very types that it strips from us. */
function stripTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function pack(extension: string, text: string): Promise<PageFile> {
  const type = TYPES[extension];
  if (type === undefined) throw new Error(`the page names a file of an unknown type: ${extension}`);
  const bytes = Buffer.from(text);
  const [gzipped, brotli] = await Promise.all([promisify(gzip)(bytes), promisify(brotliCompress)(bytes)]);
  return { type, bytes, gzip: gzipped, brotli };
}

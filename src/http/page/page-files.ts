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
  /** Changes when any of the files does, so that browsers can cache the files forever. */
  version: string;
  /** The page itself, with the URLs of its files. */
  html: PageFile;
  /** By their paths below the version. */
  files: ReadonlyMap<string, PageFile>;
}

export interface PageSource {
  /** The root of the repository. */
  root: URL;
  /** The path of the page, from the root. */
  html: string;
  /** Placeholders in the page, and what replaces them. */
  values: Readonly<Record<string, string>>;
  /** The start of the URL of each file; the version follows. */
  prefix: string;
  /** The packages that modules can import by name. */
  packages: readonly string[];
}

/** Placeholders in the page: the root of its files, and the links that preload its modules. */
const FILES = '{files}';
const MODULES = '<!-- modules -->';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
};

const HTML_LINK = /(?:href|src)="([^"]+)"/g;
/** The first group ends with a parenthesis if the module is imported only when it is needed. */
const MODULE_IMPORT = /(\b(?:from|import)\s*\(?\s*)(['"])([^'"\n]+)\2/g;
/** Comments with lines of their own. */
const COMMENT_LINES = /^[ \t]*(?:\/\*(?:[^*]|\*(?!\/))*\*\/[ \t]*|\/\/.*)$/gm;
/** The start of the paths of packages. */
const PACKAGES = 'packages/';
/** A style sheet that a module loads when it is needed. */
const LATER_STYLE = /new URL\('([^'\n]+\.css)', import\.meta\.url\)/g;

/**
 * Reads the page, the files that it links, and the modules that they import. Types are stripped from modules, so that
 * nothing has to be built before the service starts. The page preloads its modules, except
 * those that a module loads when it needs them.
 */
export async function readPageFiles(source: PageSource): Promise<PageFiles> {
  const { root, prefix } = source;
  let template = await readFile(new URL(source.html, root), 'utf8');
  for (const [name, value] of Object.entries(source.values)) template = template.replaceAll(name, value);
  const texts = new Map<string, string>();
  const whenNeeded: string[] = [];
  const addFile = async (path: string) => {
    if (texts.has(path)) return;
    texts.set(path, '');
    const { text, imports, laterImports } = await readText(source, path);
    texts.set(path, text);
    whenNeeded.push(...laterImports);
    for (const imported of imports) await addFile(imported);
  };
  for (const [, address = ''] of template.matchAll(HTML_LINK)) {
    if (address.startsWith(`${FILES}/`)) await addFile(address.slice(FILES.length + 1));
  }
  const preloaded = [...texts.keys()].filter((path) => TYPES[extname(path)] === TYPES['.js']);
  for (const path of whenNeeded) await addFile(path);

  const hash = createHash('sha256').update(template);
  for (const [path, text] of texts) hash.update(`\0${path}\0${text}`);
  const version = hash.digest('base64url').slice(0, 16);
  const base = `${prefix}${version}`;
  const preloads = preloaded.map((path) => `<link rel="modulepreload" href="${base}/${path}">`);
  const html = template.replace(MODULES, preloads.join('\n    ')).replaceAll(FILES, base);

  const files = await Promise.all(
    [...texts].map(async ([path, text]) => [path, await pack(typeOf(extname(path)), text)] as const),
  );
  return { version, html: await pack(typeOf('.html'), html), files: new Map(files) };
}

interface PageText {
  /** In the form for a browser. */
  text: string;
  /** The paths of the modules that it imports. */
  imports: string[];
  /** The paths of the modules and style sheets that it loads when they are needed. */
  laterImports: string[];
}

async function readText(source: PageSource, path: string): Promise<PageText> {
  const url = new URL(sourceOf(source, path), source.root);
  const text = await readFile(url, 'utf8');
  const extension = extname(path);
  if (TYPES[extension] !== TYPES['.js']) return { text, imports: [], laterImports: [] };

  const imports: string[] = [];
  const laterImports: string[] = [];
  const script = scriptOf(path, text);
  const linked = script.replaceAll(MODULE_IMPORT, (whole, keyword, quote, name) => {
    const target = name.startsWith('.') ? posix.join(posix.dirname(path), name) : packagePath(source, name);
    if (target === undefined) return whole;
    (keyword.includes('(') ? laterImports : imports).push(target);
    const relative = posix.relative(posix.dirname(path), target);
    return `${keyword}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
  });
  for (const [, style = ''] of script.matchAll(LATER_STYLE))
    laterImports.push(posix.join(posix.dirname(path), style));
  return { text: linked, imports, laterImports };
}

/** What a browser gets of a module. */
export function scriptOf(path: string, text: string): string {
  if (path.startsWith(PACKAGES)) return text.replace(/^\/\/# sourceMappingURL=.*$/m, '');
  const script = extname(path) === '.ts' ? stripTypes(text) : text;
  // A seventh of the bytes. The lines stay where they are, for those who debug them.
  return script.replaceAll(COMMENT_LINES, (comment) => comment.replaceAll(/[^\n]/g, ''));
}

const packagePath = ({ packages }: PageSource, name: string) =>
  packages.includes(name) ? `${PACKAGES}${name}.js` : undefined;

/** The location of a file. Packages are where Node finds them. */
function sourceOf({ packages }: PageSource, path: string): string {
  const name = packages.find((one) => path === `${PACKAGES}${one}.js`);
  return name === undefined ? path : import.meta.resolve(name);
}

/** Without Node's warning that stripTypeScriptTypes is experimental. */
function stripTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function typeOf(extension: string): string {
  const type = TYPES[extension];
  if (type === undefined) throw new Error(`the page links a file of an unknown type: ${extension}`);
  return type;
}

/** A text in the forms in which it is sent. */
export async function pack(type: string, text: string): Promise<PageFile> {
  const bytes = Buffer.from(text);
  const [gzipped, brotli] = await Promise.all([promisify(gzip)(bytes), promisify(brotliCompress)(bytes)]);
  return { type, bytes, gzip: gzipped, brotli };
}

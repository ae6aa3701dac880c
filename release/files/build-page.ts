import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { SCRIPTS_VERSION } from '../../src/http/files/scripts-version.ts';
import { lazy } from '../../values/lazy.ts';

export const LATER_SCRIPTS = {
  export: 'web/export/export-panel.tsx',
  image: 'web/chart/chart-image.ts',
  reconcile: 'web/reconcile/reconcile-screen.tsx',
  review: 'web/review/review-screen.tsx',
  search: 'web/search/search-screen.tsx',
  webhooks: 'web/webhooks/webhooks-screen.tsx',
} as const;

type LaterScript = keyof typeof LATER_SCRIPTS;

/** The English texts are in the scripts. */
export const LANGUAGES = {
  de: 'web/text/de.ts',
  'de-later': 'web/text/de/later.ts',
  fr: 'web/text/fr.ts',
  'fr-later': 'web/text/fr/later.ts',
} as const;

type Script = 'page' | LaterScript | keyof typeof LANGUAGES;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = './web/main.tsx';
const OPTIONS = {
  absWorkingDir: ROOT,
  // Without this, the scripts would contain the path of linked packages.
  preserveSymlinks: true,
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  minify: true,
  metafile: true,
  // The names of the page's texts begin with $, and the build shortens these names.
  mangleProps: /^\$/,
  logLevel: 'silent',
} as const satisfies BuildOptions;

const WITH_ELEMENTS = {
  ...OPTIONS,
  tsconfigRaw: { compilerOptions: { jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment' } },
  inject: ['web/elements.ts'],
} as const satisfies BuildOptions;

const laterScripts = Object.entries(LATER_SCRIPTS) as [LaterScript, string][];

export const pageScripts = lazy(async (): Promise<Readonly<Record<Script, string>>> => {
  const { metafile, mangleCache } = await build({
    ...WITH_ELEMENTS,
    entryPoints: [MAIN],
    plugins: [linkLater],
    // Without this, esbuild would not return its cache of names.
    mangleCache: {},
  });
  const exported = new Map<string, string>();
  const later: [string, string][] = [];
  // A property such as `$statuses` must get the same short name in each script that uses it.
  let shortNames = mangleCache;
  for (const [name, entry] of laterScripts) {
    const built = await build({
      ...WITH_ELEMENTS,
      entryPoints: [entry],
      plugins: [importFromPage(metafile)],
      mangleCache: shortNames,
    });
    shortNames = built.mangleCache;
    later.push([name, withExports(textOf(built), exported)]);
  }
  for (const [name, entry] of Object.entries(LANGUAGES))
    later.push([name, textOf(await build({ ...OPTIONS, entryPoints: [entry], mangleCache: shortNames }))]);
  const exports = [...exported].map(([name, path]) => `export { ${name} } from './${path}';\n`);
  const page = await build({
    ...WITH_ELEMENTS,
    stdin: { contents: `import '${MAIN}';\n${exports.join('')}`, resolveDir: ROOT, loader: 'ts' },
    plugins: [linkLater],
    mangleCache: shortNames,
  });
  return Object.fromEntries([['page', textOf(page)], ...later]) as Record<Script, string>;
});

const textOf = ({ outputFiles }: { outputFiles: { text: string }[] }) =>
  (outputFiles[0] as { text: string }).text;

const pathOf = (path: string, folder: string) => relative(ROOT, resolve(folder, path));

const LINKED = Object.entries({ ...LATER_SCRIPTS, ...LANGUAGES });

const linkLater: Plugin = {
  name: 'link-later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.tsx?$/ }, ({ path, resolveDir, kind }) => {
      const linked = LINKED.find(([, entry]) => entry === pathOf(path, resolveDir));
      return kind === 'dynamic-import' && linked
        ? { path: `./${linked[0]}.${SCRIPTS_VERSION}.js`, external: true }
        : undefined;
    }),
};

const OF_PAGE = 'page:';

/** Lets a later script import the modules of `page.js`. If they were bundled again, they would run twice. */
const importFromPage = ({ inputs }: Metafile): Plugin => ({
  name: 'import-from-page',
  setup: ({ onResolve, resolve: find }) =>
    onResolve({ filter: /./ }, async ({ path, resolveDir, kind, pluginData, importer }) => {
      if (importer === '' || pluginData === OF_PAGE) return undefined;
      const found = await find(path, { resolveDir, kind, importer, pluginData: OF_PAGE });
      const input = relative(ROOT, found.path);
      return input in inputs ? { path: `${OF_PAGE}${input}`, external: true } : undefined;
    }),
});

const IMPORT = new RegExp(`import\\{([^}]*)\\}from"${OF_PAGE}([^"]+)"`, 'g');

function withExports(script: string, exported: Map<string, string>): string {
  return script.replaceAll(IMPORT, (_, names: string, path: string) => {
    for (const each of names.split(',')) {
      const [name = ''] = each.split(' as ');
      const other = exported.get(name);
      if (other !== undefined && other !== path)
        throw new Error(`${other} and ${path} both export ${name}, and later screens use both: rename one`);
      exported.set(name, path);
    }
    return `import{${names}}from"./page.js"`;
  });
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import clientJson from '../client/package.json' with { type: 'json' };

/*
 * The client as one module with its types, which the service serves. The compiler is not part of the released service, so both texts are
 * committed: npm run client writes them.
 */
const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Where the module and its types are, from the root of the repository. */
export const CLIENT_MODULE = 'client/module/transactions-client';

const IMPORT = /^import (?:type )?\{[^}]*\} from '\.\/([a-z0-9-]+)\.(?:js|ts)';\n/gm;
const REEXPORT = /^export (?:type )?\{[^}]*\} from '\.\/([a-z0-9-]+)\.(?:js|ts)';\n/gm;
const EXPORTED =
  /^export ((?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type) ([\w$]+))/gm;

/** The texts of the module and of its types, by their paths. */
export function clientModuleTexts(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'transactions-client-'));
  try {
    const compile = (...options: string[]) => {
      const project = ['--project', root('client/tsconfig.json'), '--noEmit', 'false', '--outDir', folder];
      execFileSync(root('node_modules/.bin/tsc'), [...project, ...options]);
    };
    // Editors show the comments of the types, so the code needs none.
    compile('--removeComments');
    compile('--declaration', '--emitDeclarationOnly');
    const read = (ending: string) => (name: string) =>
      readFileSync(join(folder, `${name}.${ending}`), 'utf8');
    return {
      [`${CLIENT_MODULE}.js`]: bundle(read('js'), scoped),
      [`${CLIENT_MODULE}.d.ts`]: bundle(read('d.ts'), unscoped),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Module {
  name: string;
  /** Without imports and the word `export`. */
  text: string;
  exports: string[];
}

/** One text from the modules that index imports, each after those that it imports itself. */
function bundle(read: (name: string) => string, format: (module: Module) => string): string {
  const modules = new Map<string, Module>();
  const visit = (name: string) => {
    if (modules.has(name)) return;
    const text = read(name).replaceAll('\r\n', '\n');
    for (const [, imported = ''] of text.matchAll(IMPORT)) visit(imported);
    modules.set(name, moduleOf(name, text));
  };
  const index = read('index');
  for (const [, name = ''] of index.matchAll(REEXPORT)) visit(name);
  const names = [...modules.values()].flatMap(({ exports }) => exports);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) throw new Error(`several modules export ${twice.join(', ')}`);
  const exported = [...index.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, type = '', list = '']) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => `${type}${name}`),
  );
  return [
    `/*! transactions-client ${clientJson.version} | MIT License | Copyright (c) 2026 The transactions authors */`,
    ...[...modules.values()].map(format),
    `export {\n${exported.map((name) => `  ${name},\n`).join('')}};\n`,
  ].join('\n');
}

function moduleOf(name: string, source: string): Module {
  const exports = [...source.matchAll(EXPORTED)].map(([, , one = '']) => one);
  const text = source
    .replaceAll(IMPORT, '')
    .replaceAll(EXPORTED, '$1')
    .replaceAll(/^export \{\};\n/gm, '');
  const left = /^(?:import|export)\b.*/m.exec(text);
  if (left !== null) throw new Error(`${name} has an import or export of another form: ${left[0]}`);
  return { name, text: text.trim(), exports };
}

/** Modules can have private names in common. */
const scoped = ({ name, text, exports }: Module) =>
  `// ${name}\nconst { ${exports.join(', ')} } = (() => {\n${text}\nreturn { ${exports.join(', ')} };\n})();\n`;

const unscoped = ({ text }: Module) => `${text}\n`;

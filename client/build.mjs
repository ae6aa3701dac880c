import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = process.argv[2] ?? folder('dist');
const compile = (...options) =>
  execFileSync(
    folder('../node_modules/.bin/tsc'),
    ['--project', folder('tsconfig.json'), '--noEmit', 'false', ...options],
    {
      stdio: 'inherit',
    },
  );

rmSync(dist, { recursive: true, force: true });
const COMMONJS = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'];
for (const [format, options] of Object.entries({ esm: [], cjs: COMMONJS })) {
  const outDir = join(dist, format);
  // Only the declarations of types keep their comments, because editors show them.
  compile('--outDir', outDir, ...options, '--removeComments');
  compile('--outDir', outDir, ...options, '--declaration', '--emitDeclarationOnly');
  const compiled = join(outDir, 'client/src');
  for (const name of readdirSync(compiled)) {
    const text = readFileSync(join(compiled, name), 'utf8').replaceAll('../../values/', './values/');
    // The compiler leaves `.ts` in the imports of declarations, and some tools cannot resolve such an import.
    writeFileSync(join(outDir, name), text.replaceAll(/(from '\.[a-z./-]+)\.ts'/g, "$1.js'"));
  }
  rmSync(join(outDir, 'client'), { recursive: true });
}
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');

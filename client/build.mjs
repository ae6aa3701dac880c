/** Compiles the source to ES modules and CommonJS, each with its types: npm run build. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const compile = (...options) =>
  execFileSync('tsc', ['--project', folder('tsconfig.json'), '--noEmit', 'false', ...options], {
    stdio: 'inherit',
  });

rmSync(folder('dist'), { recursive: true, force: true });
const COMMONJS = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'];
for (const [format, options] of Object.entries({ esm: [], cjs: COMMONJS })) {
  const outDir = folder(`dist/${format}`);
  // The comments belong to the types, where editors show them.
  compile('--outDir', outDir, ...options, '--removeComments');
  compile('--outDir', outDir, ...options, '--declaration', '--emitDeclarationOnly');
  for (const name of readdirSync(outDir).filter((one) => one.endsWith('.d.ts'))) {
    const path = join(outDir, name);
    // The compiler leaves the source's endings in declarations, where not every tool understands them.
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.js'"));
  }
}
// Files of this folder are CommonJS, unlike the rest of the package.
writeFileSync(folder('dist/cjs/package.json'), '{ "type": "commonjs" }\n');

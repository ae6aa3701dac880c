#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

// Plain JavaScript that any Node can parse, so that an old one gets a sentence and not a syntax error.
const required = [24, 12];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > required[0] || (major === required[0] && minor >= required[1])) {
  // Beside the packages, and so no more open to others than the code itself: it saves a fifth of the start.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/transactions', import.meta.url)));
  const { main } = await import('../src/cli/main.ts');
  await main(process.argv);
} else {
  process.stderr.write(
    `transactions needs Node ${required.join('.')} or later, and this is Node ${process.versions.node}. ` +
      'Install a newer Node, or run it inside the repository as "npx transactions" after "npm ci", which brings one.\n',
  );
  process.exitCode = 1;
}

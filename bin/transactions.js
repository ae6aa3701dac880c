#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// This file is plain JavaScript that every Node can parse, so that an old Node prints the message below.
const required = [24, 15];
const [major, minor] = process.versions.node.split('.').map(Number);

// If this signal had no listener, it would make Node open a debugger.
process.on('SIGUSR1', () => {});

if (major > required[0] || (major === required[0] && minor >= required[1])) {
  // The cache saves a third of the start time. Node runs the code in it, so other users must not write to it.
  const { enableCompileCache } = await import('node:module');
  const cache = fileURLToPath(new URL('../node_modules/.cache/transactions', import.meta.url));
  // Threads and worker processes find the cache through the environment.
  process.env.NODE_COMPILE_CACHE ??= cache;
  enableCompileCache(cache);
  // A released package has dist and no src, because Node does not strip types inside node_modules.
  const hasSource = existsSync(new URL('../src', import.meta.url));
  const { main } = hasSource ? await import('./main.ts') : await import('../dist/bin/main.js');
  await main(process.argv);
} else {
  process.stderr.write(
    `transactions needs Node ${required.join('.')} or later, and this is Node ${process.versions.node}. ` +
      'Install a newer Node, or write "npx --no-install transactions": npx uses the Node that "npm ci" has installed.\n',
  );
  process.exitCode = 1;
}

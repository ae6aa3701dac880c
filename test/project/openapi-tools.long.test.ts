import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

test('two linters find nothing in the OpenAPI documents, and the clients of three generators compile', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  await promisify(execFile)('npm', ['run', 'openapi:check'], { cwd, maxBuffer: 2 ** 28 });
});

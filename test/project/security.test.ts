import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSourceFiles } from './source-files.ts';

const ROOT = join(import.meta.dirname, '../..');

const MAY_CONNECT = ['src/db/postgres/', 'src/webhooks/network/', 'src/staff/network/'];

test('the service connects only to its database, src/webhooks/network to receivers of webhooks, and src/staff/network to a provider', () => {
  const connecting =
    /\bfetch\(|\bcreateConnection\(|\bnet\.connect\(|\bnew WebSocket\(|\bnew EventSource\(|import \{[^}]*\b(?:request|get|connect|createConnection|Agent)\b[^}]*\} from 'node:(?:https?|http2|net|tls)'|from '(?:node:dgram|undici)'|import\('openid-client'\)/;
  const files = readSourceFiles(ROOT, ['bin', 'src', 'values']).filter(
    ({ path }) => !path.endsWith('.test.ts'),
  );
  assert.ok(files.length > 50);
  for (const { path, text: source } of files) {
    if (MAY_CONNECT.some((place) => path.startsWith(place))) continue;
    assert.doesNotMatch(source, connecting, path);
  }
});

const MOST_INSTALLED_BYTES = 32_000_000;

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + (entry.name === 'node_modules' ? 0 : bytesBelow(path));
    return sum + statSync(path).size;
  }, 0);

test('the packages of the service have no install scripts, and are small together', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const installed = Object.entries<{ dev?: boolean; optional?: boolean; hasInstallScript?: boolean }>(
    packages,
  ).filter(([path, { dev, optional }]) => path !== '' && !dev && !optional);
  assert.ok(installed.length > 50);
  assert.deepEqual(
    installed.filter(([, { hasInstallScript }]) => hasInstallScript),
    [],
  );
  const bytes = installed.reduce((sum, [path]) => sum + bytesBelow(join(ROOT, path)), 0);
  assert.ok(bytes < MOST_INSTALLED_BYTES, `${bytes} bytes`);
});

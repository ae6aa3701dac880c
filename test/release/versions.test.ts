import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import packageJson from '#package' with { type: 'json' };
import packageLock from '../../package-lock.json' with { type: 'json' };
import { billOfMaterials, nodeComponents } from '../../release/bill-of-materials.ts';
import { releaseNotes, releaseTexts, versions } from '../../release/release-texts.ts';

interface Bom {
  bomFormat: string;
  metadata: { timestamp: string; component: { name: string; version: string } };
  components: { name: string; version: string; licenses?: unknown[] }[];
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('the packages, their documents and the OpenAPI documents have the same version', () => {
  const found = versions();
  assert.ok(Object.keys(found).length >= 7);
  for (const [path, version] of Object.entries(found)) assert.equal(version, packageJson.version, path);
});

test('npm version writes the version and the day into every file that repeats them', () => {
  const texts = releaseTexts('7.8.9', '2030-01-02', (path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    if (!path.endsWith('CHANGELOG.md') || text.includes('## Unreleased\n')) return text;
    return text.replace(/^## /m, '## Unreleased\n\n### Added\n\n- More.\n\n## ');
  });
  assert.deepEqual(Object.keys(texts).sort(), [
    'CHANGELOG.md',
    'client/CHANGELOG.md',
    'client/README.md',
    'client/package.json',
    'docs/change-feed.md',
    'docs/webhooks.md',
    'proof/conformance/package.json',
  ]);
  for (const path of ['client/package.json', 'proof/conformance/package.json'])
    assert.equal(JSON.parse(texts[path] as string).version, '7.8.9');
  for (const path of Object.keys(texts).filter((one) => /^docs|README/.test(one)))
    assert.match(texts[path] as string, /transactions-client-7\.8\.9\.tgz/);
  for (const path of ['CHANGELOG.md', 'client/CHANGELOG.md']) {
    const notes = releaseNotes(texts[path] as string, '7.8.9');
    assert.match(notes, /^### Added\n/);
    assert.ok(!notes.includes('\n## '));
  }
  assert.equal(packageJson.scripts.version, 'node release/write-version.ts');
});

test('a tag of another version is refused', async () => {
  const run = promisify(execFile)(process.execPath, ['release/print-notes.ts', 'v0.0.9'], {
    cwd: ROOT,
  });
  await assert.rejects(run, /the tag is v0\.0\.9, but the version of package\.json is/);
});

test('the bill of materials lists Node and each package that the service can install, and is the same for the same commit', () => {
  const source = { folder: ROOT, version: packageJson.version, commit: 'c'.repeat(40), madeAtSeconds: 1e9 };
  const { node } = process.versions;
  const bom = billOfMaterials(source, node);
  assert.equal(billOfMaterials(source, node), bom);
  const { bomFormat, metadata, components } = JSON.parse(bom) as Bom;
  assert.equal(bomFormat, 'CycloneDX');
  assert.deepEqual(
    [metadata.component.name, metadata.component.version, metadata.timestamp],
    ['transactions', packageJson.version, '2001-09-09T01:46:40.000Z'],
  );
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  const installed = Object.entries<{ version?: string; dev?: boolean; optional?: boolean }>(
    packageLock.packages,
  )
    .filter(([path, { dev, optional }]) => path !== '' && !dev && !optional)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  const ofNode = nodeComponents(node).map(({ name, version }) => `${name}@${version}`);
  assert.deepEqual(listed.sort(), [...new Set([...installed, ...ofNode])].sort());
  for (const { name, licenses = [] } of components) assert.ok(licenses.length > 0, `${name} has no licence`);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checks } from '../../conformance/index.js';
import packageJson from '../../conformance/package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'conformance');
const FILES = execFileSync('git', ['ls-files', 'conformance/*.js'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');

/** The modules that a file imports, dynamically too. */
const importsOf = (text: string) =>
  [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'|\bimport\('([^']+\.js)'\)/gm)].map(
    ([, from, dynamic]) => from ?? dynamic ?? '',
  );

test('the package has no dependency, and imports only itself and Node', () => {
  assert.deepEqual(
    Object.keys(packageJson).filter((name) => /dependencies$/i.test(name)),
    [],
  );
  let count = 0;
  for (const path of FILES) {
    for (const imported of importsOf(readFileSync(join(ROOT, path), 'utf8'))) {
      count++;
      const isNode = imported.startsWith('node:') && builtinModules.includes(imported.slice('node:'.length));
      const isOwn = imported.startsWith('.') && join(ROOT, dirname(path), imported).startsWith(`${FOLDER}/`);
      assert.ok(isNode || isOwn, `${path} imports ${imported}`);
    }
  }
  assert.ok(count > 50);
});

test('each check has its own id, a requirement and a rule that is one sentence', () => {
  assert.equal(new Set(checks.map(({ id }) => id)).size, checks.length);
  assert.ok(checks.length > 100);
  for (const { id, requirement, rule, section } of checks) {
    assert.match(id, /^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)+$/);
    assert.match(requirement, /^(MUST|SHOULD|MAY)$/);
    assert.match(rule, /^[^.].*\.$/, id);
    assert.ok(section.length > 3, id);
  }
});

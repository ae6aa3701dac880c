import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withoutPart } from '../../src/http/documents/guide-reader.ts';
import { packageForms, withPackageForms } from './package-forms.ts';

const textsOf = (block: string) => packageForms(block)?.map(({ text }) => text);

test('a command for a clone becomes the command of the package, or runs in the container', () => {
  assert.deepEqual(textsOf('npx --no-install transactions keys list --account store-1'), [
    'transactions keys list --account store-1',
    'docker exec transactions transactions keys list --account store-1',
  ]);
  assert.deepEqual(textsOf('DATABASE_URL="$NEW" npx --no-install transactions verify'), [
    'DATABASE_URL="$NEW" transactions verify',
    'docker exec --env DATABASE_URL="$NEW" transactions transactions verify',
  ]);
  assert.match(textsOf('npx --no-install transactions erase --account a')?.[1] ?? '', /--interactive --tty/);
});

test('a start with settings writes them to the file that the unit reads, or makes another container', () => {
  const [debian, container] = textsOf(`OPERATOR_PORT=3001 STATUSES='a:paid' npm start`) ?? [];
  assert.equal(
    debian,
    `sed -i -E '/^(OPERATOR_PORT|STATUSES)=/d' /etc/transactions/transactions.env
printf '%s\\n' OPERATOR_PORT=3001 STATUSES='a:paid' >> /etc/transactions/transactions.env
systemctl restart transactions`,
  );
  assert.match(
    container ?? '',
    /--env OPERATOR_PORT=3001 --env STATUSES='a:paid' --env OPERATOR_HOST=0\.0\.0\.0 --publish 127\.0\.0\.1:3001:3001 transactions$/,
  );
});

test('a container is run as docs/operating.md shows it first', () => {
  const [, container = ''] = textsOf('npm start') ?? [];
  const [, ...run] = container.split('\n');
  const path = new URL('../../docs/operating.md', import.meta.url);
  assert.ok(readFileSync(path, 'utf8').includes(`${run.join('\n')}\n`), run.join('\n'));
});

test('commands that a clone and a package share have no forms', () => {
  for (const block of ['curl http://127.0.0.1:3000/readyz', 'npm ci', 'node transactions.mjs list'])
    assert.equal(packageForms(block), undefined);
});

test('a list in Markdown stays a list for both readers', () => {
  const markdown = '1. One:\n\n   ```sh\n   npm start\n   ```\n2. Two.\n';
  const both = withPackageForms(markdown);
  assert.match(
    withoutPart(both, 'clone'),
    /^1\. One:\n\n {3}\*Debian[^\n]*\n\n {3}```sh\n {3}systemctl[^\n]*\n {3}```\n/,
  );
  assert.match(withoutPart(both, 'clone'), / {3}```\n2\. Two\.\n$/);
  assert.match(withoutPart(both, 'package'), / {3}npm start\n {3}```\n2\. Two\.\n$/);
});

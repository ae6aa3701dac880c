import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as client from '../../client/src/index.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'client/src');

const examples = readdirSync(SOURCES).flatMap((file) => {
  const text = readFileSync(join(SOURCES, file), 'utf8');
  const found = text.matchAll(/^ *\* @example\s([\s\S]*?)(?=^ *\*(?:\/| @throws))/gm);
  return Array.from(found, ([, code = '']) => code.replaceAll(/^ *\* ?/gm, ''));
});

const VALUE = /^(\w+\(.*) \/\/ (.+)\n$/;

const GIVEN = `
import { ${Object.keys(client)}, type TransactionList } from '${SOURCES}/index.ts';
import { type BatchTransaction, PlatformClient } from '${SOURCES}/platform.ts';
declare const client: TransactionsClient;
declare const platform: PlatformClient;
declare const list: TransactionList;
declare const payments: BatchTransaction[];
declare const request: Request;
declare const id: string, secret: string, body: string;
declare function write(bytes: Uint8Array): void;
`;

test('each example of the client compiles', () => {
  const folder = temporaryFolder();
  try {
    for (const [index, code] of examples.entries())
      writeFileSync(join(folder.path, `example-${index}.mts`), `${GIVEN}{\n${code}}\n`);
    const compilerOptions = {
      rootDir: '/',
      noUnusedLocals: false,
      rewriteRelativeImportExtensions: false,
    };
    const config = { extends: join(ROOT, 'client/tsconfig.json'), compilerOptions, include: ['.'] };
    writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['--project', folder.path], {
      encoding: 'utf8',
    });
    assert.equal(stdout, '');
    assert.ok(examples.length > 20);
  } finally {
    folder.remove();
  }
});

test('each example of a value evaluates to the value that its comment says', () => {
  const values = examples.map((code) => VALUE.exec(code)).filter((value) => value !== null);
  for (const [, expression = '', value] of values) {
    const call = new Function(...Object.keys(client), `return ${expression}`);
    assert.equal(inspect(call(...Object.values(client))), value, expression);
  }
  assert.ok(values.length > 2);
});

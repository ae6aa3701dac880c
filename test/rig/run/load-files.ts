import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

/*
 * Loads the test files that match TEST_FILES (paths or patterns, separated by spaces) into one process.
 * If `node --test` got these files itself, it would pass although a file throws after its first test.
 */
const files = globSync((process.env['TEST_FILES'] ?? '').split(' ')).sort();
if (files.length === 0) throw new Error('TEST_FILES matches no file.');
for (const file of files) {
  await import(pathToFileURL(resolve(file)).href).catch((error: unknown) => {
    test(`${file} loads`, () => {
      throw error;
    });
  });
}

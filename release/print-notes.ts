/**
 * Prints the changelog's text about the version of a tag such as v1.2.3: node release/print-notes.ts TAG.
 * Every package must have this version.
 */
import { readFileSync } from 'node:fs';
import { releaseNotes, versions } from './release-texts.ts';

const [tag = ''] = process.argv.slice(2);
for (const [path, version] of Object.entries(versions()))
  if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, but the version of ${path} is ${version}`);
process.stdout.write(
  releaseNotes(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8'), tag.slice(1)),
);

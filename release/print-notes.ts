/** Prints the changelog's section for a tag such as v1.2.3. Every package must have the tag's version. */
import { readFileSync } from 'node:fs';
import { releaseNotes, versions } from './release-texts.ts';

const [tag = ''] = process.argv.slice(2);
for (const [path, version] of Object.entries(versions()))
  if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, but the version of ${path} is ${version}`);
process.stdout.write(
  releaseNotes(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8'), tag.slice(1)),
);

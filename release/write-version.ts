import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import packageJson from '#package' with { type: 'json' };
import { releaseTexts } from './release-texts.ts';

const day = new Date().toISOString().slice(0, 10);
for (const [path, text] of Object.entries(releaseTexts(packageJson.version, day)))
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
execFileSync('npm', ['run', '--silent', 'openapi'], { stdio: 'inherit' });
// `npm version` commits the files that are staged.
execFileSync('git', ['add', '--update']);

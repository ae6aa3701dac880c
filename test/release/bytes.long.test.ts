import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import packageJson from '#package' with { type: 'json' };
import { checkBytes } from '../../release/check/bytes.ts';
import { ROOT } from '../../release/source.ts';
import { missing } from '../rig/run/installed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

const PROGRAMS = ['mmdebstrap', 'buildah', 'faketime', 'diffoscope'];

test('a release is the same bytes in another folder, with another day, umask, language, time zone and home', {
  skip: PROGRAMS.map((program) => missing(program)).find((reason) => reason !== false) ?? false,
}, async (t) => {
  const folder = temporaryFolder(t);
  const built = `${folder.path}/release`;
  execFileSync(process.execPath, [`${ROOT}release/build.ts`, '--out', built], { stdio: 'inherit' });
  await checkBytes(built, packageJson.version, folder.path);
});

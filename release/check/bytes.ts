import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { ROOT } from '../source.ts';
import { report, run } from './programs.ts';

const SURROUNDINGS = {
  LC_ALL: 'tr_TR.UTF-8',
  LANG: 'tr_TR.UTF-8',
  TZ: 'Pacific/Kiritimati',
};

export async function checkBytes(folder: string, version: string, scratch: string): Promise<void> {
  const clone = `${scratch}/clone`;
  await run('git', ['clone', '--quiet', ROOT, clone]);
  symlinkSync(`${ROOT}node_modules`, `${clone}/node_modules`);
  mkdirSync(`${scratch}/home`);
  const packed = ['-xOf', `${folder}/transactions-${version}.tgz`, 'package/package.json'];
  const { repository } = JSON.parse(await run('tar', packed)) as { repository?: { url: string } };
  const options = repository === undefined ? [] : ['--repository', repository.url];
  const build = [`${clone}/release/build.ts`, '--out', `${scratch}/again`, ...options];
  // The build has a new HOME, so it gets the path of the builder's npm settings, which name the registry.
  const settings = (await run('npm', ['config', 'get', 'userconfig'])).trim();
  const home = { HOME: `${scratch}/home`, npm_config_userconfig: settings };
  const variables = Object.entries({ ...SURROUNDINGS, ...home }).map(([name, value]) => `${name}=${value}`);
  const inSurroundings = ['umask 077; exec env "$@"', 'sh', ...variables];
  await run('sh', ['-c', ...inSurroundings, 'faketime', '-f', '+1d', process.execPath, ...build]);
  const sums = (built: string) => readFileSync(`${built}/SHA256SUMS`, 'utf8');
  if (sums(folder) !== sums(`${scratch}/again`)) await run('diffoscope', [folder, `${scratch}/again`]);
  report('built again with another folder, day, umask, language, time zone and home: the same bytes');
}

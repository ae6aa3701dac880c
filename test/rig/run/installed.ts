import { spawnSync } from 'node:child_process';

/** In Debian, servers are in /usr/sbin, which is not in every user's PATH. */
export const PROGRAM_PATH = `${process.env['PATH']}:/usr/sbin`;

export function missing(program: string, debianPackage = program): string | false {
  const { error } = spawnSync(program, ['--version'], { env: { PATH: PROGRAM_PATH }, stdio: 'ignore' });
  return error !== undefined && `${program} is not installed; Debian has it in the package ${debianPackage}`;
}

import { spawnSync } from 'node:child_process';

/** The folders of programs. In Debian, servers are in /usr/sbin, which not every user searches. */
export const PROGRAM_PATH = `${process.env['PATH']}:/usr/sbin`;

/** Why a test that needs a program is skipped, or false if the program is installed. */
export function missing(program: string, debianPackage = program): string | false {
  const { error } = spawnSync(program, ['--version'], { env: { PATH: PROGRAM_PATH }, stdio: 'ignore' });
  return error !== undefined && `${program} is not installed; Debian has it in the package ${debianPackage}`;
}

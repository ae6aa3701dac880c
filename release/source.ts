import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Source {
  folder: string;
  version: string;
  commit: string;
  /** In seconds since 1970. Every file of the release gets this time. */
  madeAtSeconds: number;
}

export function run(
  program: string,
  args: readonly string[],
  { cwd = ROOT, env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): string {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  return execFileSync(program, args, {
    cwd,
    env: { ...process.env, PATH, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  });
}

export function copySource(folder: string): Source {
  mkdirSync(folder, { recursive: true });
  run('sh', ['-c', 'git archive HEAD | tar -x -C "$0"', folder]);
  // The README at the root is for readers of the repository, so the packages have their own.
  renameSync(`${folder}/release/packaging/README.md`, `${folder}/README.md`);
  symlinkSync(`${ROOT}node_modules`, `${folder}/node_modules`);
  const [commit = '', seconds = ''] = run('git', ['log', '-1', '--format=%H %ct']).trim().split(' ');
  const { version } = JSON.parse(run('git', ['show', 'HEAD:package.json'])) as { version: string };
  return { folder, version, commit, madeAtSeconds: Number(seconds) };
}

/** Makes the times and modes of files independent of the builder. */
export function normalise(folder: string, { madeAtSeconds }: Source): void {
  const script =
    'find "$0" -type d -exec chmod 755 {} + -o -type f -perm /111 -exec chmod 755 {} + -o -type f -exec chmod 644 {} + && ' +
    'find "$0" -exec touch --no-dereference --date "@$1" {} +';
  run('sh', ['-c', script, folder, String(madeAtSeconds)]);
}

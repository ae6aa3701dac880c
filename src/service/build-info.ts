import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import packageJson from '#package' with { type: 'json' };

interface BuildInfo {
  version: string;
  commit: string;
}

interface Commit {
  hash: string;
  day: string;
}

const UNKNOWN: Commit = { hash: 'unknown', day: 'unknown' };
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let build: BuildInfo | undefined;

export function buildInfo(): BuildInfo {
  build ??= { version: packageJson.version, commit: readCommit(ROOT).hash };
  return build;
}

export function versionText(): string {
  const { hash, day } = readCommit(ROOT);
  return `${packageJson.version} (commit ${hash}, ${day})`;
}

export function readCommit(root: string): Commit {
  const file = `${root}/commit`;
  return existsSync(file) ? parseCommit(readFileSync(file, 'utf8')) : commitOf(root);
}

export function commitOf(root: string): Commit {
  if (!existsSync(`${root}/.git`)) return UNKNOWN;
  try {
    // With `pipe`, the standard error of git stays out of the log.
    const options = {
      cwd: root,
      encoding: 'utf8',
      timeout: 10_000,
      stdio: 'pipe',
      env: { ...process.env, TZ: 'UTC0' },
    } as const;
    // git reads a clone of another user only if `--git-dir` names the folder.
    const args = [
      '--git-dir',
      `${root}/.git`,
      'log',
      '-1',
      '--no-show-signature',
      '--format=%H %cd',
      '--date=short-local',
    ];
    return parseCommit(execFileSync('git', args, options));
  } catch {
    return UNKNOWN;
  }
}

export const commitText = ({ hash, day }: Commit): string => `${hash} ${day}\n`;

function parseCommit(text: string): Commit {
  const [hash = UNKNOWN.hash, day = UNKNOWN.day] = text.trim().split(' ');
  return { hash, day };
}

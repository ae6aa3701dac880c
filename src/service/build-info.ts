import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import packageJson from '#package' with { type: 'json' };

/** Which program this is: two versions can run beside each other during an upgrade. */
interface BuildInfo {
  version: string;
  commit: string;
}

const UNKNOWN = 'unknown';
/** The folder of the sources, or `dist` of a package. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let build: BuildInfo | undefined;

/** Reads the commit at the first call. */
export function buildInfo(): BuildInfo {
  build ??= { version: packageJson.version, commit: readCommit(ROOT) };
  return build;
}

/** A package has its commit in a file, which is written when it is built. */
export function readCommit(root: string): string {
  const file = `${root}/commit`;
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : commitOf(root);
}

/** The commit of a clone, or "unknown": a copy inside of another repository does not have that one's commit. */
export function commitOf(root: string): string {
  if (!existsSync(`${root}/.git`)) return UNKNOWN;
  try {
    // What git says on standard error is not for the log.
    const options = { cwd: root, encoding: 'utf8', timeout: 1000, stdio: 'pipe' } as const;
    // With the folder named, git reads a clone of another user too: the service mostly runs as another one than the owner of its files.
    return execFileSync('git', ['--git-dir', `${root}/.git`, 'rev-parse', 'HEAD'], options).trim();
  } catch {
    return UNKNOWN;
  }
}

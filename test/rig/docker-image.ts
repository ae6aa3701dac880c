import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageLock from '../../package-lock.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Instruction {
  name: string;
  text: string;
}

/** The instructions of the Dockerfile's last stage, which makes the image. */
export function lastStage(): Instruction[] {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const instructions = lines.map((line) => {
    const [name = '', ...rest] = line.split(' ');
    return { name, text: rest.join(' ') };
  });
  return instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
}

/** The paths that the last stage copies from the repository. */
export function copiedPaths(): string[] {
  return lastStage()
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from='))
    .flatMap(({ text }) => text.split(' ').slice(0, -1));
}

/** The command of an instruction in JSON form. */
export function commandOf(name: string): string[] {
  const text = lastStage().find((instruction) => instruction.name === name)?.text ?? '';
  return JSON.parse(text.slice(text.indexOf('[')));
}

/**
 * Builds the image's folder /app without Docker: the files that the Dockerfile copies, and the packages that
 * `npm ci --omit=dev --omit=optional` installs by the lock file.
 */
export function buildImageFolder(app: string, owner: number | undefined): void {
  const tracked = execFileSync('git', ['ls-files', '-z', ...copiedPaths()], { cwd: ROOT, encoding: 'utf8' });
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').includes('\n**/*.test.ts\n');
  for (const path of tracked.split('\0').filter((one) => one !== '')) {
    if (ignored && path.endsWith('.test.ts')) continue;
    mkdirSync(dirname(resolve(app, path)), { recursive: true });
    cpSync(join(ROOT, path), resolve(app, path));
  }
  for (const [path, marks] of Object.entries<Record<string, unknown>>(packageLock.packages)) {
    if (path === '' || marks['dev'] || marks['optional'] || marks['devOptional']) continue;
    cpSync(join(ROOT, path), resolve(app, path), {
      recursive: true,
      filter: (source) => !source.slice(join(ROOT, path).length).includes('/node_modules'),
    });
  }
  mkdirSync(join(app, 'data'), { mode: 0o700 });
  if (owner !== undefined) chownSync(join(app, 'data'), owner, owner);
  execFileSync('chmod', [
    '-R',
    'a-w,a+rX',
    ...['node_modules', ...copiedPaths()].map((path) => join(app, path)),
  ]);
  chmodSync(app, 0o555);
}

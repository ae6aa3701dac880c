import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import packageLock from '../../package-lock.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Instruction {
  name: string;
  text: string;
}

function instructions(): Instruction[] {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [name = '', ...rest] = line.split(' ');
    return { name, text: rest.join(' ') };
  });
}

/** The instructions of the Dockerfile's last stage, which makes the image. */
export function lastStage(): Instruction[] {
  const all = instructions();
  return all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
}

/** The number of the user that the image runs as. */
export const IMAGE_USER = 1000;

/** The environment that the image sets. */
export const imageEnv: Record<string, string> = Object.fromEntries(
  lastStage()
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text: pairs }) => pairs.split(' ').map((pair) => pair.split('=') as [string, string])),
);

export const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'));

/** The paths of the repository that the stages copy, each once. */
export const copiedPaths = (): string[] => [...new Set(copied(instructions()))];

const copied = (stage: readonly Instruction[]): string[] =>
  stage
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from='))
    .flatMap(({ text }) => text.split(' ').slice(0, -1));

/** The command of an instruction in JSON form. */
export function commandOf(name: string): string[] {
  const text = lastStage().find((instruction) => instruction.name === name)?.text ?? '';
  return JSON.parse(text.slice(text.indexOf('[')));
}

/**
 * Builds the image's folder /app without Docker: the files that the Dockerfile copies, what it builds of others, and the packages that
 * `npm ci --omit=dev --omit=optional` installs by the lock file.
 */
export function buildImageFolder(app: string, owner: number | undefined): void {
  const own = copied(lastStage());
  copyTracked(own, app);
  buildPackage(join(app, 'dist'));
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
    ...['node_modules', 'dist', ...own].map((path) => join(app, path)),
  ]);
  chmodSync(app, 0o555);
}

/** Builds in a folder that has only what the Dockerfile copies there, and all packages. */
function buildPackage(target: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'transactions-image-'));
  try {
    copyTracked(copiedPaths(), folder);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    execFileSync(process.execPath, ['scripts/build-package.ts', target], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The files below some paths that are in the repository, without tests, as .dockerignore says. */
function copyTracked(paths: readonly string[], target: string): void {
  const tracked = execFileSync('git', ['ls-files', '-z', ...paths], { cwd: ROOT, encoding: 'utf8' });
  for (const path of tracked.split('\0').filter((one) => one !== '' && !one.endsWith('.test.ts'))) {
    mkdirSync(dirname(resolve(target, path)), { recursive: true });
    cpSync(join(ROOT, path), resolve(target, path));
  }
}

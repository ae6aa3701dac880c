import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { run, type Source } from './source.ts';
import { type Architecture, DEBIAN_NAMES } from './tree.ts';

/** Node needs the libraries, and the command "transactions" needs a shell. */
const BASE_PACKAGES = ['base-files', 'dash', 'libc6', 'libstdc++6'];
const BASE = 'localhost/transactions-base';
export const DEBIAN_RELEASE = 'bookworm';

/** The base is made from Debian packages, so the build needs no image registry and no container engine. */
export function buildImage(
  debianPackage: string,
  source: Source,
  { folder, scratch, architecture }: { folder: string; scratch: string; architecture: Architecture },
): string {
  const context = `${scratch}/image`;
  mkdirSync(`${context}/release/built/state`, { recursive: true });
  run('dpkg-deb', ['--extract', debianPackage, `${context}/release/built/root`]);
  cpSync(`${source.folder}/Dockerfile`, `${context}/Dockerfile`);
  const env = { SOURCE_DATE_EPOCH: String(source.madeAtSeconds) };
  const packages = [
    '--variant=extract',
    `--include=${BASE_PACKAGES}`,
    `--architecture=${DEBIAN_NAMES[architecture]}`,
  ];
  run('mmdebstrap', ['--quiet', ...packages, DEBIAN_RELEASE, `${context}/base.tar`], { env });
  writeFileSync(`${context}/Base`, 'FROM scratch\nADD base.tar /\n');
  const storage = ['--storage-driver=vfs', `--root=${scratch}/storage`, `--runroot=${scratch}/run`];
  const build = (dockerfile: string, tag: string, ...more: string[]) =>
    run('buildah', [
      ...storage,
      ...['build', '--quiet', '--isolation=chroot', '--format=oci', `--timestamp=${source.madeAtSeconds}`],
      ...[`--arch=${DEBIAN_NAMES[architecture]}`, `--file=${dockerfile}`, `--tag=${tag}`, ...more, context],
    ]);
  build(`${context}/Base`, BASE);
  const tag = `localhost/transactions:${source.version}`;
  const labelled = [`VERSION=${source.version}`, `REVISION=${source.commit}`];
  const args = [`BASE=${BASE}`, ...labelled].map((value) => `--build-arg=${value}`);
  build(`${context}/Dockerfile`, tag, ...args);
  const file = `transactions-${source.version}.oci.tar`;
  rmSync(`${folder}/${file}`, { force: true });
  const layout = `${scratch}/layout`;
  run('buildah', [...storage, 'push', '--quiet', tag, `oci:${layout}:${source.version}`]);
  const sameBytes = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    `--mtime=@${source.madeAtSeconds}`,
  ];
  run('tar', ['-cf', `${folder}/${file}`, ...sameBytes, '--mode=u+rwX,go=rX', '-C', layout, '.']);
  return file;
}

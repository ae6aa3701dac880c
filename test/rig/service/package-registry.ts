import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageLock from '../../../package-lock.json' with { type: 'json' };
import { serveHttp } from '../http/loopback.ts';
import { atEnd } from '../run/at-end.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

function installedPackages(): Map<string, Map<string, string>> {
  const packages = new Map<string, Map<string, string>>();
  for (const [path, marks] of Object.entries<Record<string, unknown>>(packageLock.packages)) {
    if (path === '' || marks['dev'] || marks['optional'] || marks['devOptional']) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const versions = packages.get(name) ?? new Map<string, string>();
    packages.set(name, versions.set(String(marks['version']), join(ROOT, path)));
  }
  return packages;
}

export async function startPackageRegistry(): Promise<string> {
  const packages = installedPackages();
  const url = await serveHttp({ after: atEnd }, (request, response) => {
    const [, name = '', version = ''] =
      /^\/((?:@[^/]+\/)?[^/@]+)(?:\/-\/(.+)\.tgz)?$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
    const versions = packages.get(name);
    const folder = versions?.get(version);
    if (versions === undefined) return response.writeHead(404).end('{}');
    if (version === '') return response.end(JSON.stringify(packument(name, versions)));
    const args = [
      '-czf',
      '-',
      '-C',
      folder as string,
      '--exclude=./node_modules',
      '--transform=s,^\\.,package,',
      '.',
    ];
    const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    return tar.stdout.pipe(response);
  });
  const packument = (name: string, versions: ReadonlyMap<string, string>) => ({
    name,
    'dist-tags': { latest: [...versions.keys()][0] },
    versions: Object.fromEntries(
      [...versions].map(([version, folder]) => [
        version,
        {
          ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
          dist: { tarball: `${url}/${name}/-/${version}.tgz` },
        },
      ]),
    ),
  });
  return url;
}

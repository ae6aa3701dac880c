import { readFileSync } from 'node:fs';

/*
 * `npm version` changes the version in package.json. `releaseTexts` writes the version into the files below.
 * All other files take the version from package.json.
 */
const CHANGELOGS = ['CHANGELOG.md', 'client/CHANGELOG.md'];
const PACKAGES = ['client/package.json', 'proof/conformance/package.json'];
const INSTALLS = ['client/README.md', 'docs/change-feed.md', 'docs/webhooks.md'];
const INSTALLED = /(?<=transactions-client-)[\d.]+(?=\.tgz)/g;
const UNRELEASED = '## Unreleased\n';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

export function releaseTexts(version: string, day: string, readFile = read): Record<string, string> {
  const packages = PACKAGES.map((path) => [
    path,
    readFile(path).replace(/^( {2}"version": )".*"/m, `$1"${version}"`),
  ]);
  const changelogs = CHANGELOGS.map((path) => {
    const text = readFile(path);
    if (!text.includes(UNRELEASED)) throw new Error(`${path} has nothing under Unreleased`);
    return [path, text.replace(UNRELEASED, `## ${version} - ${day}\n`)];
  });
  const installs = INSTALLS.map((path) => [path, readFile(path).replaceAll(INSTALLED, version)]);
  return Object.fromEntries([...packages, ...changelogs, ...installs]);
}

/** Throws: Error if the changelog has no section for the version. */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`${version} - `));
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md has no section for ${version}`);
  return `${notes}\n`;
}

/** All of these versions must be equal. */
export function versions(): Record<string, string> {
  const found = ['package.json', ...PACKAGES, 'openapi.json', 'openapi-operator.json'].map((path) => {
    const { version, info } = JSON.parse(read(path)) as { version?: string; info?: { version: string } };
    return [path, version ?? info?.version];
  });
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: { '': { version: string } } };
  const installed = INSTALLS.map((path) => [path, [...new Set(read(path).match(INSTALLED))].join()]);
  return Object.fromEntries([...found, ['package-lock.json', packages[''].version], ...installed]);
}

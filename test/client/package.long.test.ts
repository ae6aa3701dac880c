import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importedService } from '../rig/service/imported-service.ts';

/*
 * The package as users get it: built by npm pack, and installed without the network into a project that has
 * nothing else. The programs that run and compile here see neither this repository's source nor its packages.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SAMPLES = 400;

const README = readFileSync(join(ROOT, 'client/README.md'), 'utf8');
const [, QUICK_START = ''] = README.match(/```ts\n([\s\S]*?)```/) ?? [];

/** A typed program with deliberate mistakes. */
const TYPED = `
import { type ChangeFeed, type ListFilters, ProblemError, type SavedFeed, type SavedPosition, type Transaction, TransactionsClient } from 'transactions-client';

export async function read(client: TransactionsClient, signal: AbortSignal): Promise<string[]> {
  const filters: ListFilters = { status: 'completed', from: undefined };
  const list = client.transactions.list(filters, { signal, timeoutMs: 100 });
  const saved: SavedPosition = list.toJSON();
  const lines: string[] = [];
  for await (const one of client.transactions.resume(saved)) lines.push(one.amount);
  for await (const { data } of list.pages()) lines.push(...data.map(({ paidAt }) => paidAt ?? 'not paid'));
  const feed: ChangeFeed = client.changes.follow({ after: 7 }, { signal });
  const position: SavedFeed = feed.toJSON();
  for await (const { sequence, type, previousStatus, transaction } of client.changes.follow(position)) {
    lines.push(sequence.toFixed(), type, previousStatus ?? 'new', transaction.amount);
  }
  for await (const { data, headSequence } of feed.pages()) lines.push(String(headSequence - data.length));
  // @ts-expect-error a position is a number
  client.changes.follow({ after: '7' });
  // @ts-expect-error a misspelt filter
  client.transactions.list({ curency: 'EUR' });
  // @ts-expect-error a Date is not a day
  client.transactions.list({ from: new Date() });
  // @ts-expect-error a misspelt option
  new TransactionsClient({ uri: 'https://service.test' });
  // @ts-expect-error the time of payment may be missing
  const paidAt: string = ({} as Transaction).paidAt;
  return [...lines, paidAt];
}

export const codeOf = (error: unknown): string => (error instanceof ProblemError ? error.code : 'none');
`;

describe('the packed client', () => {
  const folder = temporaryFolder();
  const project = join(folder.path, 'project');
  const csv = sampleCsv(SAMPLES);
  const service = importedService(csv);

  const inProject = async (command: string, args: readonly string[], env: Record<string, string> = {}) => {
    const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`;
    const options = { cwd: project, timeout: GIVE_UP_MS, env: { PATH: path, HOME: folder.path, ...env } };
    // The compiler reports errors on standard output.
    return promisify(execFile)(command, args, options).catch((error) =>
      assert.fail(`${error}${error.stdout}`),
    );
  };
  const write = (name: string, text: string) => writeFileSync(join(project, name), text);
  const withKey = () => ({
    TRANSACTIONS_API_KEY: service.key,
    TRANSACTIONS_URL: service.url,
    URL: service.url,
  });

  before(async () => {
    mkdirSync(project);
    write('package.json', '{ "name": "project", "version": "1.0.0", "private": true, "type": "module" }');
    await inProject('npm', ['pack', join(ROOT, 'client'), '--silent', '--pack-destination', project]);
    const [tarball = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
    await inProject('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`]);
  });
  after(folder.remove);

  test('the program of its README runs unchanged, and its total is right', async () => {
    write('quick-start.ts', QUICK_START.replace("'EUR'", "'CAD'"));
    const { stdout } = await inProject(process.execPath, ['quick-start.ts'], withKey());
    const amounts = expectedRows(csv, 'store-1').map(({ amount }) => Math.round(Number(amount) * 100));
    assert.equal(stdout, `${amounts.reduce((total, minor) => total + minor, 0)} cents\n`);
  });

  for (const [module, moduleResolution, ending] of [
    ['nodenext', 'nodenext', 'mts'],
    ['nodenext', 'nodenext', 'cts'],
    ['node16', 'node16', 'mts'],
    ['node16', 'node16', 'cts'],
    ['esnext', 'bundler', 'ts'],
  ] as const) {
    test(`compiles under strict TypeScript: ${module}, ${moduleResolution}, .${ending}`, async () => {
      const used = [`typed-${module}.${ending}`];
      write(used[0] as string, TYPED);
      if (ending !== 'cts') {
        used.push(`readme-${module}.${ending}`);
        write(used[1] as string, QUICK_START);
      }
      const form = `--target es2022 --module ${module} --moduleResolution ${moduleResolution}`;
      const types = `--typeRoots ${join(ROOT, 'node_modules/@types')} --types node`;
      const strict = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit';
      const { stdout } = await inProject('sh', ['-ec', `tsc ${strict} ${form} ${types} ${used.join(' ')}`]);
      assert.equal(stdout, '');
    });
  }
});

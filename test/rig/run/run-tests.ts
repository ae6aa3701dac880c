import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { globalSetup, globalTeardown } from './global-setup.ts';
import { seed } from './seed.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { ALONE, SLOW } from './test-files.ts';

const FILES_OF_A_PROCESS = { slow: 1, long: 6, short: 12 };
const PROCESSES_AT_ONCE = 5;
const LONG_FOLDERS = /^test\/(archive|cli|conformance|judge|page|store)\//;

process.env['TEST_SEED'] = String(seed);
process.env['NODE_COMPILE_CACHE'] ??= `${process.cwd()}/node_modules/.cache/tests`;

const summaries = temporaryFolder();

process.once('exit', () => {
  const names = readdirSync(summaries.path).map((name) => readFileSync(`${summaries.path}/${name}`, 'utf8'));
  summaries.remove();
  process.stdout.write(`The seed of the random values was TEST_SEED=${seed}.\n${names.join('')}`);
});

export const checkProject = (...scripts: readonly string[]): Promise<boolean> =>
  areAllPassed(
    ['lint', 'typecheck', ...scripts].map((script) =>
      isPassed(spawn('npm', ['run', script], { stdio: 'inherit' })),
    ),
  );

export const runFiles = (files: readonly string[]): Promise<boolean> => {
  const setup = files.length > 1 ? ['--test-global-setup=test/rig/run/global-setup.ts'] : [];
  return nodeTest('files', ['--test-concurrency=5', ...setup, ...files], 'inherit');
};

export async function runAll(files: readonly string[]): Promise<boolean> {
  const together = files.filter((file) => !ALONE.includes(file));
  await globalSetup();
  const alone = nodeTest('alone', ['--test-concurrency=1', ...ALONE], 'pipe');
  const groups = groupsOf(together);
  const runGroups = async () => {
    let isPassed = true;
    for (let group = groups.shift(); group !== undefined; group = groups.shift())
      isPassed = (await testTogether(group)) && isPassed;
    return isPassed;
  };
  const areGroupsPassed = await areAllPassed([
    alone,
    ...Array.from({ length: PROCESSES_AT_ONCE }, runGroups),
  ]);
  await globalTeardown();
  return areGroupsPassed;
}

/** Neighbouring files share a process, because they start the same servers and browsers. */
function groupsOf(files: readonly string[]): string[][] {
  const by = Object.groupBy(files, (file) => {
    if (SLOW.includes(file)) return 'slow';
    return LONG_FOLDERS.test(file) ? 'long' : 'short';
  });
  const kinds = ['slow', 'long', 'short'] as const;
  return kinds.flatMap((kind) => chunksOf(by[kind] ?? [], FILES_OF_A_PROCESS[kind]));
}

const chunksOf = (files: readonly string[], length: number): string[][] =>
  Array.from({ length: Math.ceil(files.length / length) }, (_, index) =>
    files.slice(index * length, (index + 1) * length),
  );

const testTogether = (files: readonly string[]) =>
  nodeTest(files[0] ?? '', ['--test-isolation=none', 'test/rig/run/load-files.ts'], 'pipe', {
    TEST_FILES: files.join(' '),
  });

async function nodeTest(
  name: string,
  given: readonly string[],
  output: 'inherit' | 'pipe',
  environment: NodeJS.ProcessEnv = {},
) {
  const reporters = {
    spec: 'stdout',
    './test/rig/run/summary.ts': `${summaries.path}/${name.replaceAll('/', '-')}`,
  };
  const reports = Object.entries(reporters).flatMap(([reporter, destination]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${destination}`,
  ]);
  const child = spawn(process.execPath, ['--test', '--test-timeout=600000', ...reports, ...given], {
    stdio: ['ignore', output, 'inherit'],
    env: { ...process.env, ...environment },
  });
  const [passed, printed] = await Promise.all([isPassed(child), child.stdout && text(child.stdout)]);
  process.stdout.write(printed ?? '');
  return passed;
}

async function isPassed(child: ChildProcess): Promise<boolean> {
  const [status] = await once(child, 'exit');
  return status === 0;
}

const areAllPassed = async (runs: readonly Promise<boolean>[]) => !(await Promise.all(runs)).includes(false);

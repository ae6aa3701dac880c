import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importDistances } from './rig/run/import-graph.ts';
import { seed } from './rig/run/seed.ts';
import { temporaryFolder } from './rig/run/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SETUP = '--test-global-setup=test/rig/run/global-setup.ts';

// The test files, which are processes, have the same random values.
process.env['TEST_SEED'] = String(seed);
// Compiling the same modules in each file takes a quarter of the time of an HTTP test file.
process.env['NODE_COMPILE_CACHE'] ??= `${ROOT}node_modules/.cache/tests`;

/** Runs scripts of package.json side by side. Returns whether all passed. */
export async function runChecks(scripts: readonly string[]): Promise<boolean> {
  const checks = scripts.map((script) => isPassed(spawned('npm', ['run', script])));
  return !(await Promise.all(checks)).includes(false);
}

/**
 * Runs test files, which can be patterns. The last lines of a run that fails have the names of the tests, and the seed.
 * Returns whether all passed.
 */
export async function runTests(
  patterns: readonly string[],
  { isWatch = false }: { isWatch?: boolean } = {},
): Promise<boolean> {
  const folder = temporaryFolder();
  const failed = `${folder.path}/failed.txt`;
  const reporters = ['spec', 'stdout', './test/rig/run/failed-tests.ts', failed].flatMap((value, index) => [
    index % 2 === 0 ? '--test-reporter' : '--test-reporter-destination',
    value,
  ]);
  const options = [
    ...['--test-concurrency=5', '--test-timeout=600000', ...reporters],
    ...(isWatch ? ['--watch'] : []),
    ...(usePostgres(patterns) ? [SETUP] : []),
  ];
  try {
    const passed = await isPassed(spawned(process.execPath, ['--test', ...options, ...patterns]));
    process.stdout.write(
      `The seed of the random values was TEST_SEED=${seed}.\n${readFileSync(failed, 'utf8')}`,
    );
    return passed;
  } finally {
    folder.remove();
  }
}

/** Whether some test files need the PostgreSQL servers, whose start takes longer than most files. */
function usePostgres(patterns: readonly string[]): boolean {
  const files = globSync([...patterns], { cwd: ROOT });
  return files.some((file) => {
    const imported = importDistances(file);
    return imported.has('test/rig/database/postgres.ts') || imported.has('test/rig/run/import-tests.ts');
  });
}

function spawned(program: string, given: readonly string[]): ChildProcess {
  return spawn(program, given, { cwd: ROOT, stdio: 'inherit' });
}

async function isPassed(child: ChildProcess): Promise<boolean> {
  const [status] = await once(child, 'exit');
  return status === 0;
}

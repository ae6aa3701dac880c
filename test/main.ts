import { checkProject, runAll, runFiles } from './rig/run/run-tests.ts';
import { shortTier } from './rig/run/test-files.ts';

/* `npm test` checks and tests everything in the short tier. `npm test -- FILE...` runs only these files. */
const files = process.argv.slice(2);
const isPassed =
  files.length > 0 ? await runFiles(files) : (await checkProject('coverage')) && (await runAll(shortTier()));
process.exitCode = isPassed ? 0 : 1;

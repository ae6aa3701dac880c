import { runCommandLine } from '../../values/terminal/command-line.ts';
import { buildAccountProgram } from './account-program.ts';

/* Each service serves this program as one file, which needs Node 20 or later and nothing else. */

await runCommandLine(buildAccountProgram, process.argv);

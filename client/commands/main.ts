import { runCommandLine } from '../../values/terminal/command-line.ts';
import { buildAccountProgram } from './account-program.ts';

/* Each service serves this program as one file, which needs only Node 20 or later. */

await runCommandLine(buildAccountProgram, process.argv);

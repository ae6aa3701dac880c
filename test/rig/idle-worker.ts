/* A worker that only says that it answers, and ends when it is told to. */
import { joinTeam } from '../../src/cli/workers.ts';

joinTeam();
setInterval(() => {}, 60_000);

import { main } from '../../src/cli/main.ts';

/*
 * Runs command lines one after the other in this process, which is faster than a process for each. The first argument is
 * their JSON. On both streams, a line with `=== ` and the exit status ends the output of each command.
 */

export interface CommandLine {
  args: readonly string[];
  env?: Record<string, string>;
  /** Whether standard output and standard error count as terminals. */
  isTerminal?: boolean;
}

const lines = JSON.parse(process.argv[2] ?? '[]') as CommandLine[];
const streams = [process.stdout, process.stderr];
for (const stream of streams) stream.setMaxListeners(0);

for (const { args, env = {}, isTerminal = false } of lines) {
  Object.assign(process.env, env);
  for (const stream of streams) stream.isTTY = isTerminal;
  process.exitCode = 0;
  await main(['node', 'transactions', ...args]);
  for (const name of Object.keys(env)) delete process.env[name];
  for (const stream of streams) stream.write(`=== ${process.exitCode}\n`);
}
process.exitCode = 0;

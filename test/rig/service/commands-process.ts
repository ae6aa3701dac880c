import { Readable, Writable } from 'node:stream';
import { main } from '../../../bin/main.ts';

/* This process runs one command line after another. A command that leaves a connection open hangs here. */

export interface SharedCommand {
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  stdin: string | Buffer;
  isTerminal: boolean;
}

export interface CommandEnd {
  status: number;
  stdout: Buffer;
  stderr: Buffer;
}

/** Node exits with this status if the program waits for a promise that can never settle. */
const NEVER_ENDED = 13;

let endRunning: (() => CommandEnd) | undefined;

process.on('message', (line: SharedCommand) => {
  endRunning = begin(line);
  // From here on, only the command keeps this process alive.
  process.channel?.unref();
});

process.on('beforeExit', () => {
  if (endRunning === undefined) return;
  process.channel?.ref();
  process.send?.(endRunning());
  endRunning = undefined;
});

function begin({ args, cwd, env, stdin, isTerminal }: SharedCommand): () => CommandEnd {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  const written = { stdout: collecting(isTerminal), stderr: collecting(isTerminal) };
  const streams = { stdin: Readable.from([Buffer.from(stdin)]), ...written };
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  process.exitCode = undefined;
  let hasEnded = false;
  void main(['node', 'transactions', ...args]).then(() => {
    hasEnded = true;
  });
  return () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) process.removeAllListeners(signal);
    return {
      status: hasEnded ? Number(process.exitCode ?? 0) : NEVER_ENDED,
      stdout: Buffer.concat(written.stdout.parts),
      stderr: Buffer.concat(written.stderr.parts),
    };
  };
}

function collecting(isTerminal: boolean): Writable & { parts: Buffer[] } {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(part, _encoding, done) {
      parts.push(part);
      done();
    },
  });
  return Object.assign(stream, { parts, ...(isTerminal && { isTTY: true }) });
}

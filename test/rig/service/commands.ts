import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../run/at-end.ts';
import { GIVE_UP_MS } from '../run/give-up.ts';
import type { CommandEnd, SharedCommand } from './commands-process.ts';

const PROCESS = fileURLToPath(new URL('./commands-process.ts', import.meta.url));

const idle: ChildProcess[] = [];
atEnd(async () => {
  for (const child of idle) {
    const exited = once(child, 'exit');
    child.ref();
    child.disconnect();
    await exited;
  }
});

export async function runCommand(line: SharedCommand): Promise<CommandEnd> {
  const child = idle.pop() ?? fork(PROCESS, { serialization: 'advanced', execArgv: [] });
  setRef(child, true);
  const { promise, resolve, reject } = Promise.withResolvers<CommandEnd>();
  const onExit = (status: number | null, signal: string | null) =>
    reject(new Error(`The process of "${line.args.join(' ')}" ended with ${status ?? signal}.`));
  child.once('message', resolve).once('exit', onExit);
  const timer = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
  child.send(line);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off('exit', onExit).off('message', resolve);
    setRef(child, false);
    if (child.connected) idle.push(child);
  }
}

function setRef(child: ChildProcess, isRef: boolean): void {
  for (const handle of [child, child.channel])
    if (isRef) handle?.ref();
    else handle?.unref();
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import packageJson from '#package' with { type: 'json' };
import { noteKey, refuseForeignRows } from '../database/isolation.ts';
import { atEnd } from '../run/at-end.ts';
import { GIVE_UP_MS } from '../run/give-up.ts';
import { runCommand } from './commands.ts';

export const START_OPTIONS = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'));

export const BINARY = fileURLToPath(new URL('../../../bin/transactions.js', import.meta.url));

export interface RunOptions {
  cwd: string;
  binary?: string;
  through?: readonly string[];
  nodeOptions?: readonly string[];
  env?: Record<string, string>;
  stdin?: string | Buffer;
  isTerminal?: boolean;
}

export interface ServeOptions extends RunOptions {
  args?: readonly string[];
}

export interface Outcome {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export const withoutProgress = (stderr: string) => stderr.replaceAll(/^.* \.\.\.\n/gm, '');

function environment(env: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    REQUEST_TIMEOUT: '60000',
    ...env,
  };
}

const running = new Set<ChildProcess>();
atEnd(() => {
  for (const child of running) child.kill('SIGKILL');
});

export function start(
  args: readonly string[],
  { cwd, env, binary = BINARY, through = [], nodeOptions = [] }: RunOptions,
): ChildProcess {
  const [program = '', ...rest] = [...through, process.execPath, ...nodeOptions, binary, ...args];
  const child = spawn(program, rest, { cwd, env: environment(env), stdio: 'pipe' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function run(args: readonly string[], options: RunOptions): Promise<Outcome> {
  if (needsOwnProcess(args, options)) return runProgram(args, options);
  const { cwd, stdin = '', isTerminal = false } = options;
  const { status, stdout, stderr } = await runCommand({
    args,
    cwd,
    env: environment(options.env),
    stdin,
    isTerminal,
  });
  return { status, signal: null, stdout: stdout.toString(), stderr: withoutProgress(stderr.toString()) };
}

function needsOwnProcess(args: readonly string[], { binary, through, nodeOptions, env = {} }: RunOptions) {
  const isOther = (binary ?? through ?? nodeOptions) !== undefined;
  return isOther || args[0] === 'serve' || Object.keys(env).some((name) => name.startsWith('NODE_'));
}

export interface CommandLine extends Partial<RunOptions> {
  args: readonly string[];
}

export async function runAll(lines: readonly CommandLine[], options: RunOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { args, ...own } of lines) outcomes.push(await run(args, { ...options, ...own }));
  return outcomes;
}

export async function runProgram(args: readonly string[], options: RunOptions): Promise<Outcome> {
  const child = start(args, options);
  const timer = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.stdin);
  const { stderr, ...outcome } = await outcomeOf(child);
  clearTimeout(timer);
  return { ...outcome, stderr: withoutProgress(stderr) };
}

/** Call this while the program runs. If it has already ended, this never returns. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit'),
  ]);
  return { status, signal, stdout, stderr };
}

export const call = (
  url: string,
  key: string,
  { json, ...request }: RequestInit & { headers?: Record<string, string>; json?: object } = {},
): Promise<Response> =>
  fetch(url, {
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...request,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
    },
  });

export const recordPending = (
  { operatorUrl }: Pick<Served, 'operatorUrl'>,
  operatorKey: string,
  reference: string,
  account = 'store-1',
): Promise<Response> =>
  call(`${operatorUrl}/v1/accounts/${account}/transactions/${reference}`, operatorKey, {
    method: 'PUT',
    json: { status: 'pending', amount: '1.00', currencyCode: 'EUR', createdAt: '2026-06-15T12:00:00.000Z' },
  });

export interface Served {
  url: string;
  operatorUrl: string;
  pid: number;
  child: ChildProcess;
  logged(): string;
  stop(signal?: NodeJS.Signals): Promise<{ status: number | null; signal: NodeJS.Signals | null }>;
}

export async function startServe(options: ServeOptions, t?: TestContext): Promise<Served> {
  const child = start(['serve', ...(options.args ?? [])], { ...options, env: { PORT: '0', ...options.env } });
  const exited = once(child, 'exit');
  let logged = '';
  const { url, pid } = await new Promise<{ url: string; pid: number }>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      logged += chunk;
      const line = logged.split('\n').find((one) => one.includes('"msg":"listening"'));
      if (line === undefined) return;
      clearTimeout(timer);
      resolve(JSON.parse(line));
    });
    child.once('exit', (status) => {
      clearTimeout(timer);
      reject(new Error(`serve ended with ${status}:\n${logged}`));
    });
  });
  const operatorLine = logged
    .split('\n')
    .find((one) => one.includes("listening for the operator's interface"));
  const served: Served = {
    url,
    operatorUrl: operatorLine === undefined ? '' : JSON.parse(operatorLine).url,
    pid,
    child,
    logged: () => logged,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) process.kill(pid, signal);
      const [status, endedBy] = await exited;
      return { status, signal: endedBy };
    },
  };
  t?.after(() => served.stop());
  return served;
}

export function startRunning(t: TestContext, args: readonly string[], options: RunOptions) {
  const child = start(args, options);
  t.after(() => child.kill('SIGKILL'));
  const exited = once(child, 'close');
  const ended = exited.then(() => 'ended' as const);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const has = async (isPrinted: () => boolean, stream: 'stdout' | 'stderr') => {
    while (!isPrinted()) {
      const seen = await Promise.race([once(child[stream] as NodeJS.ReadableStream, 'data'), ended]);
      if (seen === 'ended' && !isPrinted()) throw new Error(`${args.join(' ')}: ${output.stderr}`);
    }
  };
  return {
    child,
    output,
    lines: (count: number) => has(() => output.stdout.split('\n').length > count, 'stdout'),
    prints: (text: string, stream: 'stdout' | 'stderr' = 'stdout') =>
      has(() => output[stream].includes(text), stream),
    exited,
  };
}

export async function createDatabase(options: RunOptions): Promise<void> {
  const { status, stderr } = await run(['migrate'], options);
  if (status !== 0) throw new Error(stderr);
}

export async function createKey(account: string, options: RunOptions): Promise<string> {
  await createDatabase(options);
  const { status, stdout, stderr } = await run(['keys', 'create', '--account', account, '--json'], options);
  if (status !== 0) throw new Error(stderr);
  const { key } = JSON.parse(stdout);
  noteKey(key, account);
  return key;
}

export async function createOperatorKey(options: RunOptions, scopes = 'record,keys'): Promise<string> {
  await createDatabase(options);
  const args = ['keys', 'create', '--operator', '--scopes', scopes, '--json'];
  const { status, stdout, stderr } = await run(args, options);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout).key;
}

export async function importCsv(csv: string, options: RunOptions): Promise<void> {
  const { status, stderr } = await run(['import', '-', '--format', 'csv'], { ...options, stdin: csv });
  if (status !== 0) throw new Error(stderr);
}

export async function walkList(url: string, key: string, query = '') {
  const rows: Record<string, string | null>[] = [];
  let parameters = query;
  for (;;) {
    const response = await call(`${url}/v1/transactions?${parameters}`, key);
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    const page = (await response.json()) as {
      data: Record<string, string | null>[];
      nextCursor: string | null;
    };
    refuseForeignRows(key, page);
    rows.push(...page.data);
    if (page.nextCursor === null) return rows;
    parameters = `cursor=${page.nextCursor}`;
  }
}

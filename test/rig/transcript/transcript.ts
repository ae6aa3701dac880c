import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { GIVE_UP_MS } from '../run/give-up.ts';
import { temporaryFolder } from '../run/temporary-folder.ts';
import { hasTurn } from '../run/tier.ts';
import {
  type Outcome,
  type RunOptions,
  run,
  runProgram,
  type Served,
  startServe,
} from '../service/process.ts';
import { StableNames } from './stable-names.ts';

/* A transcript is a text with commands and what they print. */

/** `TEST_WRITE=1 npm test -- FILE` writes what the commands print now. */
const IS_WRITTEN = process.env['TEST_WRITE'] === '1';
const SQLITE_URL = 'sqlite:data/transactions.db';

interface TranscriptOptions {
  databases?: readonly (readonly [name: string, makeUrl: () => Promise<string>])[];
  given?: (t: TestContext, databaseUrl: string) => Promise<Record<string, string>>;
  commands?: Commands;
}

type Commands = Record<
  string,
  (args: readonly string[], options: RunOptions & { databaseUrl: string }) => Promise<Outcome | undefined>
>;

export function transcript(testFile: string, { databases, given, commands = {} }: TranscriptOptions = {}) {
  const path = fileURLToPath(testFile).replace(/\.test\.ts$/, '.txt');
  const sections = readFileSync(path, 'utf8').split(/^(?=# )/m);
  for (const text of sections)
    assert.match(text, /^# [\s\S]*^\$ /m, `${path}: a section has a title and commands`);
  for (const [database, makeUrl] of databases ?? [['', async () => SQLITE_URL]])
    describe(`the transcript${database && ` on ${database}`}`, () => {
      for (const [index, text] of sections.entries()) {
        test(text.slice(2, text.indexOf('\n')), async (t) => {
          const databaseUrl = await makeUrl();
          const session = new Session(t, text, databaseUrl, commands);
          const named = Object.entries((await given?.(t, databaseUrl)) ?? {});
          for (const [name, value] of named) session.names.add(name, value);
          sections[index] = await session.play();
        });
      }
      after(() => IS_WRITTEN && writeFileSync(path, sections.join('')));
    });
}

class Session {
  readonly names: StableNames;
  readonly #text: string;
  readonly #cwd: string;
  readonly #commands: Commands;
  readonly #env: Record<string, string> = {};
  readonly #services: Served[] = [];

  constructor(t: TestContext, text: string, databaseUrl: string, commands: Commands) {
    const folder = temporaryFolder();
    this.#cwd = folder.path;
    this.#text = text;
    this.#commands = commands;
    const source = commandsOf(text).join('\n');
    this.names = new StableNames((value) => source.includes(value));
    this.names.add('<folder>', folder.path);
    if (databaseUrl !== SQLITE_URL) this.#env['DATABASE_URL'] = databaseUrl;
    const withoutPassword = databaseUrl.replace(/:[^:@/]*@/, '@');
    for (const url of [
      databaseUrl,
      withoutPassword,
      databaseUrl.replace('sqlite:', `sqlite:${folder.path}/`),
    ])
      this.names.add('<database>', url);
    t.after(async () => {
      for (const served of this.#services) await served.stop();
      folder.remove();
    });
  }

  async play(): Promise<string> {
    const lines = this.#text.split('\n');
    const played: string[] = [];
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] as string;
      played.push(line);
      if (!line.startsWith('$ ')) {
        assert.ok(!OUTPUT.test(line) && !line.startsWith('$'), `neither a command nor its output: ${line}`);
        continue;
      }
      const input: string[] = [];
      const [, end] = /<<'?(\w+)'?/.exec(line) ?? [];
      while (end !== undefined && input.at(-1) !== end)
        input.push(lines[++at] ?? assert.fail(`no ${end}: ${line}`));
      const expected: string[] = [];
      while (OUTPUT.test(lines[at + 1] ?? '')) expected.push(lines[++at] as string);
      const shown = this.#shown(await this.#run(line.slice(2), input));
      if (!IS_WRITTEN) assert.equal(shown.join('\n'), expected.join('\n'), line);
      played.push(...input, ...shown);
    }
    return played.join('\n');
  }

  async #run(line: string, input: readonly string[]): Promise<Outcome> {
    const command = this.names.show(line);
    const text = this.names.show(input.slice(0, -1).join('\n') + (input.length > 1 ? '\n' : ''));
    const words = wordsOf(command);
    const env = { ...this.#env };
    while (/^\w+=/.test(words[0] ?? '')) Object.assign(env, variableOf(words.shift() as string));
    if (words[0] === 'export') return this.#export(words.slice(1));
    if (words[0] === 'sql') return this.#execute(text);
    if (words[0] === 'transactions') return this.#transactions(words.slice(1), env, text);
    const added = this.#commands[words[0] ?? ''];
    if (added !== undefined) {
      const options = { cwd: this.#cwd, env, databaseUrl: this.#databaseUrl() };
      return (await added(words.slice(1), options)) ?? SILENT;
    }
    return this.#inShell([command, ...input.map((one) => this.names.show(one))].join('\n'));
  }

  async #transactions(words: readonly string[], env: Record<string, string>, text: string): Promise<Outcome> {
    const { args, from, to, isBackground } = redirectionsOf(words);
    const options: RunOptions = { cwd: this.#cwd, env };
    if (isBackground) return this.#serve(args.slice(1), options);
    if (args[0] === 'serve')
      Object.assign(options, { env: { PORT: '0', ...env }, through: ['timeout', String(GIVE_UP_MS / 1000)] });
    options.stdin = from === undefined ? text : readFileSync(join(this.#cwd, from));
    const hasOwnProcess = hasTurn(args.join(' '));
    const ended = await (hasOwnProcess ? runProgram : run)(args, options);
    if (to === undefined) return ended;
    this.names.hide(ended.stdout);
    writeFileSync(join(this.#cwd, to), ended.stdout);
    return { ...ended, stdout: '' };
  }

  async #serve(args: readonly string[], options: RunOptions): Promise<Outcome> {
    const served = await startServe({ ...options, args, env: { OPERATOR_PORT: '0', ...options.env } });
    this.#services.push(served);
    this.names.add('<operator-url>', served.operatorUrl);
    this.names.add('<url>', served.url);
    this.#env['TRANSACTIONS_URL'] = served.url;
    return SILENT;
  }

  #export(words: readonly string[]): Outcome {
    for (const word of words) Object.assign(this.#env, variableOf(word));
    return SILENT;
  }

  async #execute(sql: string): Promise<Outcome> {
    const url = this.#databaseUrl();
    if (url.startsWith('postgres')) {
      const client = new pg.Client(url);
      await client.connect();
      await client.query(sql).finally(() => client.end());
    } else {
      const db = new DatabaseSync(url.slice('sqlite:'.length));
      db.exec(sql);
      db.close();
    }
    return SILENT;
  }

  #databaseUrl(): string {
    const url = this.#env['DATABASE_URL'] ?? SQLITE_URL;
    return url.replace(/^sqlite:(?!\/)/, `sqlite:${this.#cwd}/`);
  }

  async #inShell(script: string): Promise<Outcome> {
    const { PATH = '' } = process.env;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    execFile('sh', ['-c', script], { cwd: this.#cwd, env: { PATH, ...this.#env } }, (error, stdout, stderr) =>
      resolve({ ...SILENT, status: error === null ? 0 : Number(error.code ?? Number.NaN), stdout, stderr }),
    );
    return promise;
  }

  #shown({ status, stdout, stderr }: Outcome): string[] {
    const marked = (text: string, mark: string) =>
      text === '' ? [] : visible(this.names.hide(text)).map((line) => mark + line);
    return [...marked(stdout, '  '), ...marked(stderr, '! '), ...(status === 0 ? [] : [`? ${status}`])];
  }
}

const SILENT: Outcome = { status: 0, signal: null, stdout: '', stderr: '' };

/** A line of standard output, a line of standard error, or the exit status. */
const OUTPUT = /^(?: {2}|! |\? )/;

const commandsOf = (text: string) => text.split('\n').filter((line) => !OUTPUT.test(line));

function visible(text: string): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  if (!text.endsWith('\n')) lines.push('(no line end)');
  return lines.map((line) =>
    line.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu, escaped).replace(/(^|\s)$/, '$1\u23ce'),
  );
}

const escaped = (character: string) =>
  character === '\r' ? '\\r' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  );

function variableOf(word: string): Record<string, string> {
  const at = word.indexOf('=');
  return { [word.slice(0, at)]: word.slice(at + 1) };
}

function redirectionsOf(words: readonly string[]) {
  const args = words.filter((word) => !word.startsWith('<<'));
  const isBackground = args.at(-1) === '&' && args.pop() === '&';
  const take = (sign: string): string | undefined => {
    const at = args.indexOf(sign);
    return at === -1 ? undefined : args.splice(at, 2)[1];
  };
  return { args, from: take('<'), to: take('>'), isBackground };
}

import { setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { sentence } from '../../../values/sentence.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { jsonLinesOption } from '../../../values/terminal/options.ts';
import { printResult, progress } from '../../../values/terminal/output.ts';
import { copyDatabase } from '../../operate/copy/copy.ts';
import { TargetContradicts } from '../../operate/copy/copy-context.ts';
import type { CopyReader } from '../../operate/copy/copy-reader.ts';
import {
  describeDatabase,
  describeFromEverywhere,
  explainDatabaseUrl,
  openCopyReader,
  openCopyTarget,
  openStore,
  openStoreWithoutMigrating,
} from '../../store/open-store.ts';
import { noteMigrations, readerOf, WRITE_TIME_LIMIT_MS } from '../with-store.ts';
import { contradictionLine, explainEnd, type Output, reportCopied } from './copy-report.ts';
import { copySignals } from './copy-signals.ts';

interface CopyArguments {
  from: string;
  to: string;
  follow?: true;
  keepSource?: true;
  json?: true;
}

/** With a lower priority, this command leaves the processor to a service on the same machine. */
const LOWER_PRIORITY = 5;
/** A copied row is soon garbage. More memory for new objects would not make the copy faster. */
const SMALL_HEAP = ['--max-semi-space-size=8', '--semi-space-growth-factor=1'];

export function copyCommand(program: Command): void {
  program
    .command('copy')
    .description('copy everything to another database, also while the service runs')
    .requiredOption(
      '--from <url>',
      'the address of the source. At the end, the source is marked as moved, and refuses to record',
    )
    .requiredOption('--to <url>', 'the address of the target; no service may be running on it')
    .option('--follow', 'also copy transactions that are recorded meanwhile, until a stop signal')
    .option('--keep-source', 'do not mark the source as moved: for a rehearsal, or a second copy')
    .addOption(jsonLinesOption(': the progress, then a summary'))
    .action(copy);
}

async function copy({ from, to, follow, keepSource, json }: CopyArguments): Promise<void> {
  checkAddress('--from', from);
  checkAddress('--to', to);
  setPriority(LOWER_PRIORITY);
  for (const flag of SMALL_HEAP) setFlagsFromString(flag);
  const output: Output = json === true ? 'json' : 'text';
  const opened: { close(): Promise<unknown> }[] = [];
  const open = async <Opened extends { close(): Promise<unknown> }>(opening: Promise<Opened>) => {
    const one = await opening;
    opened.unshift(one);
    return one;
  };
  const shown = progress();
  const keepsSource = keepSource === true;
  const signals = copySignals({ isFollowing: follow === true, keepsSource }, output, shown);
  const [sourceName, targetName] = [describeFromEverywhere(from), describeFromEverywhere(to)];
  try {
    const source = await open(openReader(from, 'source'));
    const targetStore = await open(openTargetStore(to));
    const end = await copyDatabase({
      source,
      targetStore,
      target: await open(openCopyTarget(to)),
      targetReader: await open(openReader(to, 'target')),
      sourceName,
      openSource: keepsSource ? null : () => openCopyTarget(from),
      targetName,
      following: follow === true ? signals.following : null,
      isStopped: () => follow !== true && signals.isStopped(),
      now: Date.now,
      monotonicMs: () => performance.now(),
      onProgress: signals.onProgress,
      onMoved: () =>
        shown.note(
          `${sourceName} is marked as moved: no service starts on it, and a running service answers recordings with 503. To use it again, run "transactions reopen" with its address as DATABASE_URL.`,
        ),
    });
    shown.clear();
    const names = { source: describeDatabase(from), target: describeDatabase(to) };
    if (end.end !== 'equal') throw new CommandFailed(...explainEnd(end));
    printResult(...reportCopied(end, names, output));
  } catch (error) {
    shown.clear();
    if (error instanceof TargetContradicts) printResult(contradictionLine(error.contradiction, output));
    throw explained(error);
  } finally {
    signals.forget();
    for (const one of opened) await one.close();
  }
}

function checkAddress(option: string, url: string): void {
  const fault = explainDatabaseUrl(url);
  if (fault !== undefined) throw new UsageError(`${option} ${fault}.`);
}

const openReader = async (url: string, side: 'source' | 'target'): Promise<CopyReader> =>
  readerOf(await openCopyReader(url), 'copy', side);

async function openTargetStore(url: string) {
  const options = { timeoutMs: WRITE_TIME_LIMIT_MS, connections: 2, isCopyTarget: true };
  const found = await openStoreWithoutMigrating(url, Date.now, options);
  if ('store' in found) return found.store;
  if (!found.isEmpty)
    throw new CommandFailed(
      `The target is not empty, and its schema is older than this program's. Nothing there was changed. Copy into an empty database, or use the older program to finish the copy that it began. Missing migrations: ${found.pending.join(', ')}.`,
    );
  const opened = await openStore(url, Date.now, options);
  noteMigrations(opened);
  return opened.store;
}

function explained(error: unknown): unknown {
  if (error instanceof TargetContradicts)
    return new CommandFailed(
      'The target contradicts the source.',
      'If the source was restored from a backup while it was copied, export what only the target has. If somebody changed rows with SQL, "transactions verify" on the source names them. Then copy into an empty database.',
    );
  if (error instanceof StoreUnavailable)
    return new CommandFailed(
      `The copy was cut off: ${sentence(error.message)}`,
      'Run the command again when both databases can be used: it copies the rest.',
    );
  return error;
}

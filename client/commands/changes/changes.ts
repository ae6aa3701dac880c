import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../../values/failure.ts';
import { MAX_ITEMS } from '../../../values/interface/limits.ts';
import { jsonLinesOption, parseSequence } from '../../../values/terminal/options.ts';
import {
  listProgress,
  type Progress,
  printLines,
  printManyResults,
  printNote,
} from '../../../values/terminal/output.ts';
import { onStopSignal } from '../../../values/terminal/stop-signals.ts';
import { type Format, JSON_LINES } from '../../../values/terminal/table.ts';
import {
  type Change,
  type ChangePage,
  type FeedPage,
  type FeedQuery,
  SealMismatchError,
  TransactionsClient,
} from '../../src/index.ts';
import { explain, type Service, type ServiceOf, type ServiceOptions, withService } from '../api-client.ts';
import { outageNotes } from '../outage-notes.ts';
import { ReadChanges, rewindText } from '../rewinds.ts';
import { changeTable, rewindAsJson } from './change-formats.ts';

interface ChangesOptions extends ServiceOptions {
  after: number;
  afterId?: string;
  follow?: true;
  verify?: true;
  seal?: string;
  json?: true;
}

export function changesCommand(program: Command, serviceOf: ServiceOf): void {
  const command = program
    .command('changes')
    .description('print the changes of the account in their order')
    .option('--after <sequence>', 'only changes with larger sequence numbers', parseSequence, 0)
    .option(
      '--after-id <id>',
      'the id of the change at --after, to notice a restore of the service',
      parseChangeId,
    )
    .option(
      '--follow',
      'wait for further changes, also during outages, and print each change when it is recorded, until a stop signal. If the service is restored from a backup, print which changes no longer exist, and continue after the last change that still exists',
    )
    .option(
      '--verify',
      'compute the seal of the changes. If the seal of the service differs, a recorded value was altered, and the command fails',
    )
    .option('--seal <seal>', 'for --verify: the seal of the change at --after', parseSeal)
    .addOption(jsonLinesOption());
  withService(command).action((options) => listChanges(options, serviceOf));
}

function parseChangeId(text: string): string {
  if (/^[\w-]{1,40}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the id of a change, such as chg_Zt7vJ2mXq0YtR5cQe1WbKd.');
}

function parseSeal(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the seal of a change: 64 lower-case hexadecimal digits.');
}

interface Printed {
  count: number;
  lastSequence: number;
  lastId: string | undefined;
  seal?: string | undefined;
}

async function listChanges(
  { after, afterId, follow, verify, seal, json, url, allowHttp }: ChangesOptions,
  serviceOf: ServiceOf,
): Promise<void> {
  if (afterId !== undefined && after === 0)
    throw new UsageError('--after-id is the id of the change at --after: give both.');
  const isVerified = verify === true || seal !== undefined;
  if (isVerified && after > 0 && seal === undefined)
    throw new UsageError('--verify with --after needs the seal of the change at --after: give --seal too.');
  const service = await serviceOf({ url, allowHttp });
  const format = json ? JSON_LINES : changeTable();
  const stopping = new AbortController();
  if (follow) onStopSignal(() => stopping.abort(), { again: 'ends the process' });
  const { signal } = stopping;
  const printed: Printed = { count: 0, lastSequence: after, lastId: afterId };
  const shown = listProgress();
  const from = { after, afterId, ...(isVerified && { verify: true, seal }) };
  const read = new ReadChanges(from, async (rewind) => {
    shown.clear();
    await printManyResults(json ? rewindAsJson(rewind) : rewindText(rewind));
    printed.lastSequence = rewind.lastSequence;
    printed.lastId = rewind.lastId ?? undefined;
    printed.seal = undefined;
  });
  try {
    const pages = follow
      ? followedPages(service, from, { read, signal, note: shown.note })
      : isVerified
        ? verifiedPages(service, from)
        : pagesToHead(service, from);
    if (!(await printLines(linesOf(pages, format, printed, shown)))) return;
  } catch (error) {
    if (error === signal.reason) return printNote(positionOf(printed));
    if (error instanceof SealMismatchError) throw explain(error, service.url, restoredPosition(error));
    throw explain(error, service.url, printed.count === 0 ? undefined : positionOf(printed));
  }
  if (printed.count === 0 && !json) printNote(`There are no changes after ${after}.`);
  if (printed.seal !== undefined) printNote(`Verified. ${positionOf(printed)}`);
}

const positionOf = (printed: Printed) =>
  `The last sequence number is ${printed.lastSequence}: continue ${positionArguments(printed)}.`;

function positionArguments({ lastSequence, lastId, seal }: Omit<Printed, 'count'>): string {
  const id = lastId === undefined ? '' : ` --after-id ${lastId}`;
  const verifying = seal === undefined ? '' : ` --seal ${seal}`;
  return `with --after ${lastSequence}${id}${verifying}`;
}

function restoredPosition({ agreed: { after, afterId, seal } }: SealMismatchError): string {
  const from =
    after === 0
      ? 'from the beginning, with --verify'
      : positionArguments({ lastSequence: after, lastId: afterId, seal });
  return `When the altered values are restored, continue ${from}.`;
}

type Position = Pick<FeedQuery, 'after' | 'afterId' | 'verify' | 'seal'>;

type PrintedPage = FeedPage & { seal?: string | undefined };

async function* verifiedPages(service: Service, from: Position): AsyncGenerator<PrintedPage> {
  const feed = new TransactionsClient(service).changes.catchUp(from);
  for await (const page of feed.pages()) yield { ...page, seal: feed.toJSON().seal };
}

async function* pagesToHead(service: Service, from: Position): AsyncGenerator<FeedPage> {
  let page = await firstPage(service, from);
  yield page;
  const { headSequence } = page;
  const { changes } = new TransactionsClient(service);
  while (page.hasMore && page.lastSequence < headSequence) {
    page = await changes.list({ ...positionAfter(page), limit: MAX_ITEMS });
    yield { data: page.data.filter(({ sequence }) => sequence <= headSequence), headSequence };
  }
}

interface Following {
  read: ReadChanges;
  signal: AbortSignal;
  note: (line: string) => void;
}

async function* followedPages(
  service: Service,
  from: Position,
  { read, signal, note }: Following,
): AsyncGenerator<PrintedPage> {
  const first = await firstPage(service, from, signal);
  // With `verify`, the feed computes seals from the first page on, so the feed reads this page again.
  const position = from.verify === true ? from : positionAfter(first);
  if (from.verify !== true) {
    read.add(...first.data);
    if (position.afterId !== undefined) read.add({ sequence: position.after ?? 0, id: position.afterId });
    yield first;
  }
  const { changes } = new TransactionsClient({ ...service, ...outageNotes(service.url, note) });
  const feed = changes.follow(position, { signal, copy: read });
  for await (const page of feed.pages()) {
    read.add(...page.data);
    yield { ...page, seal: feed.toJSON().seal };
  }
}

/** Includes the id of the last change, so that the service can detect a restore between two pages. */
const positionAfter = ({ lastSequence, lastId }: ChangePage): Position & { after: number } => ({
  after: lastSequence,
  afterId: lastId ?? undefined,
});

/** Retries only once, so that the user soon learns that the service is not running. */
function firstPage(service: Service, { after, afterId }: Position, signal?: AbortSignal) {
  const { changes } = new TransactionsClient({ ...service, maxRetries: 1 });
  return changes.list({ after, afterId, limit: MAX_ITEMS }, { signal });
}

async function* linesOf(
  pages: AsyncIterable<PrintedPage>,
  format: Format<Change>,
  printed: Printed,
  shown: Progress,
): AsyncGenerator<readonly string[]> {
  try {
    for await (const { data, headSequence, seal } of pages) {
      const last = data.at(-1);
      if (last === undefined) continue;
      yield format.lines(data);
      printed.count += data.length;
      printed.lastSequence = last.sequence;
      printed.lastId = last.id;
      printed.seal = seal;
      shown.show(`printed change ${last.sequence} of ${headSequence}`);
    }
  } finally {
    shown.clear();
  }
}

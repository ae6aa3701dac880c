import type { Command } from 'commander';
import {
  type Change,
  type ChangePage,
  type FeedPage,
  TransactionsClient,
} from '../../../../client/src/index.ts';
import { onStopSignal } from '../../../service/stop-signals.ts';
import type { Format } from '../../terminal/growing-table.ts';
import { jsonLinesOption } from '../../terminal/json-options.ts';
import { printLines, printNote, progress } from '../../terminal/output.ts';
import { parseSequence } from '../../terminal/sequence-option.ts';
import { explain, type Service, type ServiceOf, URL_OPTION } from '../api-client.ts';
import { fetchWithOutageNotes } from '../outage-notes.ts';
import { changesAsJson, changeTable } from './change-formats.ts';

interface ChangesOptions {
  after: number;
  follow?: true;
  json?: true;
  url?: string;
}

const MAX_CHANGES_OF_PAGE = 1000;

export function changesCommand(program: Command, serviceOf: ServiceOf): void {
  program
    .command('changes')
    .description('print the changes of the account in their order')
    .option('--after <sequence>', 'only changes with larger sequence numbers', parseSequence, 0)
    .option(
      '--follow',
      'wait for further changes, also through outages, and print each when it is recorded, until a stop signal',
    )
    .addOption(jsonLinesOption())
    .option(...URL_OPTION)
    .action((options) => listChanges(options, serviceOf));
}

async function listChanges(
  { after, follow, json, url }: ChangesOptions,
  serviceOf: ServiceOf,
): Promise<void> {
  const service = await serviceOf(url);
  const format = json ? changesAsJson : changeTable();
  const stopping = new AbortController();
  if (follow) onStopSignal(() => stopping.abort(), { again: 'ends the process' });
  const { signal } = stopping;
  const printed = { count: 0, last: after };
  const position = () =>
    `The last sequence number is ${printed.last}: continue with --after ${printed.last}.`;
  // On a terminal, the lines themselves show the progress.
  const shown = process.stderr.isTTY && !process.stdout.isTTY ? progress() : undefined;
  const note = (line: string) => {
    shown?.clear();
    printNote(line);
  };
  try {
    const pages = follow ? followedPages(service, after, signal, note) : pagesToHead(service, after);
    await printLines(linesOf(pages, format, printed, shown), { exact: false });
  } catch (error) {
    // The reader of the output has ended, for example `| head`.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    if (error === signal.reason) return printNote(position());
    throw explain(error, service.url, printed.count === 0 ? undefined : position());
  }
  if (printed.count === 0 && !json) printNote(`There are no changes after ${after}.`);
}

/** The changes up to the head that the first response names. */
async function* pagesToHead(service: Service, after: number): AsyncGenerator<FeedPage> {
  let page = await firstPage(service, after);
  yield page;
  const { headSequence } = page;
  const { changes } = new TransactionsClient(service);
  while (page.hasMore && page.lastSequence < headSequence) {
    page = await changes.list({ ...positionAfter(page), limit: MAX_CHANGES_OF_PAGE });
    yield { data: page.data.filter(({ sequence }) => sequence <= headSequence), headSequence };
  }
}

/** Every change until the signal aborts. `note` is called with a line when an outage begins, and when it ends. */
async function* followedPages(
  service: Service,
  after: number,
  signal: AbortSignal,
  note: (line: string) => void,
): AsyncGenerator<FeedPage> {
  const first = await firstPage(service, after, signal);
  yield first;
  const { changes } = new TransactionsClient({ ...service, fetch: fetchWithOutageNotes(service.url, note) });
  yield* changes.follow(positionAfter(first), { signal }).pages();
}

/** With the id, so that a restore between two pages does not join two histories. */
const positionAfter = ({ lastSequence, lastId }: ChangePage) => ({
  after: lastSequence,
  afterId: lastId ?? undefined,
});

/** Retried only once, because the service may not be running. Later pages are retried longer. */
function firstPage(service: Service, after: number, signal?: AbortSignal) {
  const { changes } = new TransactionsClient({ ...service, maxRetries: 1 });
  return changes.list({ after, limit: MAX_CHANGES_OF_PAGE }, { signal });
}

/** The lines of the changes, page by page, so that memory does not grow with their number. */
async function* linesOf(
  pages: AsyncIterable<FeedPage>,
  format: Format<Change>,
  printed: { count: number; last: number },
  shown: ReturnType<typeof progress> | undefined,
): AsyncGenerator<readonly string[]> {
  try {
    for await (const { data, headSequence } of pages) {
      if (data.length === 0) continue;
      yield format.lines(data);
      printed.count += data.length;
      printed.last = data.at(-1)?.sequence ?? printed.last;
      shown?.show(`printed change ${printed.last} of ${headSequence}`);
    }
  } finally {
    shown?.clear();
  }
}

import { pipeline, type Readable } from 'node:stream';
import { type CsvError, type Info, parse } from 'csv-parse';
import { TRANSACTION_FIELDS } from '../core/parse-transaction.ts';
import { quote } from '../core/quote.ts';
import { LINE_MAX_CHARACTERS, type SourceLine, UnreadableSource } from '../core/source-line.ts';

const HEADER = TRANSACTION_FIELDS.join(',');
const BATCH_LINES = 1000;

/**
 * The entries of a CSV file whose first line is the header, an empty field being null. Blank lines are passed over.
 *
 * Throws: UnreadableSource where the header is another, or the file is no CSV.
 */
export async function* readCsv(input: Readable): AsyncGenerator<SourceLine[]> {
  let batch: SourceLine[] = [];
  const parser = parse({
    bom: true,
    info: true,
    max_record_size: LINE_MAX_CHARACTERS,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
  });
  parser.on('skip', (error: CsvError) => {
    const line = Number(error['lines']);
    if (error.code === 'CSV_MAX_RECORD_SIZE') parser.destroy(tooLong(line));
    else batch.push({ line, fault: explainCsv(error) });
  });
  // A failing input ends the parser with its error, which the loop below then throws.
  pipeline(input, parser, () => {});

  let headerSeen = false;
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
    if (!headerSeen) {
      refuseOtherHeader(record);
      headerSeen = true;
      continue;
    }
    batch.push(sourceLine(record, startLine(record, info.lines)));
    if (batch.length >= BATCH_LINES) {
      yield batch;
      batch = [];
    }
  }
  if (!headerSeen) throw new UnreadableSource(`it has no header; its first line must be ${HEADER}`);
  yield batch;
}

function tooLong(line: number): UnreadableSource {
  return new UnreadableSource(
    `line ${line} is longer than ${LINE_MAX_CHARACTERS} characters; perhaps a quote before it is never closed.`,
  );
}

function refuseOtherHeader(record: readonly string[]): void {
  if (record.join(',') === HEADER) return;
  throw new UnreadableSource(
    `its first line is ${quote(record.join(','))}, and the header must be ${HEADER}`,
  );
}

/** A quoted field may hold line ends: an entry is named by the line on which it starts. */
function startLine(record: readonly string[], endLine: number): number {
  let line = endLine;
  for (const field of record) {
    for (let at = field.indexOf('\n'); at !== -1; at = field.indexOf('\n', at + 1)) line--;
  }
  return line;
}

function sourceLine(fields: readonly string[], line: number): SourceLine {
  if (fields.length !== TRANSACTION_FIELDS.length) {
    return { line, fault: `has ${fields.length} columns, and the header has ${TRANSACTION_FIELDS.length}` };
  }
  const record: Record<string, string | null> = {};
  for (const [column, name] of TRANSACTION_FIELDS.entries()) record[name] = fields[column] || null;
  return { line, record };
}

function explainCsv(error: CsvError): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is opened and never closed; close it, or write a quote inside a field twice';
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a quoted field goes on behind its closing quote; write a quote inside a field twice';
    case 'INVALID_OPENING_QUOTE':
      return 'a quote stands inside a field that is not quoted; quote the whole field, and write a quote inside it twice';
    default:
      return `is not CSV: ${error.message}`;
  }
}

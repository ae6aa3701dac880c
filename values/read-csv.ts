import { counted } from './counted.ts';
import { readLines } from './read-lines.ts';
import { type BrokenQuote, LINE_MAX_CHARACTERS, type SourceLine, UnreadableSource } from './source-line.ts';

interface CsvForm {
  delimiter: string;
  /** Null for a column that is not read. */
  columns: readonly (string | null)[];
  /** True if lines with only delimiters are skipped. Spreadsheets write such lines for empty rows. */
  skipsEmptyRows?: boolean;
  recordOf?(texts: Readonly<Record<string, string | null>>): Readonly<Record<string, unknown>>;
}

export interface CsvHeader {
  expected: string;
  /** The line of the header; 0 if the file has none. Default: the first line that is not empty. */
  line?: number;
  read(text: string): CsvForm;
}

interface NumberedLine {
  text: string;
  line: number;
}

/**
 * An empty field is null. After a broken quote, reading continues at the next line. Throws: the errors of
 * `header.read`, and UnreadableSource if there is no header, or if the beginning of an entry is unclear.
 */
export async function* readCsv(
  input: AsyncIterable<Uint8Array>,
  header: CsvHeader,
): AsyncGenerator<SourceLine[]> {
  let reader: EntryReader | undefined;
  let line = 0;
  for await (const texts of readLines(input, 'perhaps its line ends are missing')) {
    const numbered = texts.map((text) => ({
      text: text.endsWith('\r') ? text.slice(0, -1) : text,
      line: ++line,
    }));
    if (reader === undefined) {
      const at =
        header.line === 0
          ? -1
          : numbered.findIndex((one) =>
              header.line === undefined ? one.text !== '' : one.line === header.line,
            );
      if (at === -1 && header.line !== 0) continue;
      reader = new EntryReader(header.read(numbered[at]?.text ?? ''));
      numbered.splice(0, at + 1);
    }
    yield reader.read(numbered);
  }
  if (reader === undefined)
    throw new UnreadableSource(`it has no header; its first line must be ${header.expected}.`);
  yield reader.end();
}

export function csvFields(text: string, delimiter: string): string[] | undefined {
  const fields = fieldsOf(text, delimiter);
  return Array.isArray(fields) ? fields : undefined;
}

/** Joins the lines of a file into entries, because a quoted field can contain line ends. */
class EntryReader {
  readonly #form: CsvForm;
  #open: NumberedLine[] = [];
  #openCharacters = 0;

  constructor(form: CsvForm) {
    this.#form = form;
  }

  read(numbered: readonly NumberedLine[]): SourceLine[] {
    const entries: SourceLine[] = [];
    // A stack, because lines that `#take` returns must be read before the rest.
    const ahead = [numbered[Symbol.iterator]()];
    for (;;) {
      const { done, value } = (ahead.at(-1) as Iterator<NumberedLine>).next();
      if (done === true) {
        ahead.pop();
        if (ahead.length === 0) return entries;
        continue;
      }
      const again = this.#take(value, entries);
      if (again.length > 0) ahead.push(again[Symbol.iterator]());
    }
  }

  end(): SourceLine[] {
    const entries: SourceLine[] = [];
    while (this.#open.length > 0) entries.push(...this.read(this.#skipOpen(entries)));
    return entries;
  }

  #take(current: NumberedLine, entries: SourceLine[]): NumberedLine[] {
    if (this.#open.length > 0) return this.#continue(current, entries);
    if (current.text === '') return [];
    const fields = fieldsOf(current.text, this.#form.delimiter);
    if (Array.isArray(fields)) {
      if (!this.#form.skipsEmptyRows || fields.some((field) => field !== ''))
        entries.push(entryOf(fields, current.line, this.#form));
    } else if (fields === 'never closed') {
      this.#open = [current];
      this.#openCharacters = current.text.length;
    } else {
      entries.push(brokenQuote(current.line, fields));
    }
    return [];
  }

  #continue(current: NumberedLine, entries: SourceLine[]): NumberedLine[] {
    this.#open.push(current);
    this.#openCharacters += current.text.length + 1;
    if (this.#openCharacters > LINE_MAX_CHARACTERS) return this.#skipOpen(entries);
    // Only a line with an odd number of quotes can close the open quote.
    if ((current.text.split('"').length - 1) % 2 === 0) return [];
    const { delimiter, columns } = this.#form;
    const fields = fieldsOf(this.#open.map(({ text }) => text).join('\n'), delimiter);
    if (!Array.isArray(fields) || fields.length !== columns.length) return this.#skipOpen(entries);
    const [first, ...others] = this.#open as [NumberedLine, ...NumberedLine[]];
    refuseHidden(first, others, this.#form);
    entries.push(entryOf(fields, first.line, this.#form));
    this.#open = [];
    return [];
  }

  /** Reports the line with the open quote as broken. Returns the lines after it, which must be read again. */
  #skipOpen(entries: SourceLine[]): NumberedLine[] {
    const [first, ...others] = this.#open as [NumberedLine, ...NumberedLine[]];
    entries.push(brokenQuote(first.line, 'never closed'));
    this.#open = [];
    return others;
  }
}

const BROKEN_QUOTES: Record<BrokenQuote, string> = {
  'never closed': 'a quote is opened and never closed; close it, or write a quote inside a field twice',
  continued: 'a quoted field continues after its closing quote; write a quote inside a field twice',
  inside:
    'a quote is inside a field that is not quoted; quote the whole field, and write a quote inside it twice',
};

const brokenQuote = (line: number, kind: BrokenQuote): SourceLine => ({
  line,
  fault: BROKEN_QUOTES[kind],
  ofCsv: { kind },
});

/** Between two stray quotes, whole lines would be read as one field, and their entries would be lost. */
function refuseHidden(
  first: NumberedLine,
  others: readonly NumberedLine[],
  { delimiter, columns }: CsvForm,
): void {
  const last = others.at(-1) as NumberedLine;
  for (const { text, line } of others.slice(0, -1)) {
    if (csvFields(text, delimiter)?.length === columns.length) {
      throw new UnreadableSource(
        `line ${line} is inside a quoted field that begins on line ${first.line} and ends on line ${last.line}, and could be an entry: correct the quotes of these two lines.`,
      );
    }
  }
}

/** Source: RFC 4180. */
function fieldsOf(text: string, delimiter: string): string[] | BrokenQuote {
  if (!text.includes('"')) return text.split(delimiter);
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end === -1) return 'never closed';
      fields.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
      if (at < text.length && text[at] !== delimiter) return 'continued';
    } else {
      const next = text.indexOf(delimiter, at);
      const end = next === -1 ? text.length : next;
      const field = text.slice(at, end);
      if (field.includes('"')) return 'inside';
      fields.push(field);
      at = end;
    }
    if (at === text.length) return fields;
  }
}

/** Skips doubled quotes. Returns -1 if no quote closes the field. */
function closingQuote(text: string, at: number): number {
  for (let end = text.indexOf('"', at); end !== -1; end = text.indexOf('"', end + 2)) {
    if (text[end + 1] !== '"') return end;
  }
  return -1;
}

function entryOf(fields: readonly string[], line: number, { columns, recordOf }: CsvForm): SourceLine {
  if (fields.length !== columns.length)
    return {
      line,
      fault: `has ${counted(fields.length, 'column')}, and the header has ${columns.length}`,
      ofCsv: { kind: 'columns', has: fields.length, expected: columns.length },
    };
  const record: Record<string, string | null> = {};
  for (const [at, field] of columns.entries()) if (field !== null) record[field] = fields[at] || null;
  return { line, record: recordOf?.(record) ?? record };
}

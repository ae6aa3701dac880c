import type { Readable } from 'node:stream';
import { readLines } from '../core/import/read-lines.ts';
import { LINE_MAX_CHARACTERS, type SourceLine, UnreadableSource } from '../core/import/source-line.ts';
import { quote } from '../core/quote.ts';
import { TRANSACTION_FIELDS } from '../core/transaction.ts';

const HEADER = TRANSACTION_FIELDS.join(',');

/** A text of the file with the line that it begins on. */
interface Piece {
  text: string;
  line: number;
}

/**
 * The entries of a CSV file whose first line is the header, an empty field being null. Blank lines are passed over.
 *
 * A line whose quotes are broken is a fault of its own, and reading goes on at the next line.
 *
 * Throws: UnreadableSource where the header is another, or it can't be known where the entries begin.
 */
export async function* readCsv(input: Readable): AsyncGenerator<SourceLine[]> {
  const reader = new EntryReader();
  let line = 0;
  let headerSeen = false;
  for await (const texts of readLines(input, 'perhaps its line ends are missing')) {
    const pieces = texts.map((text) => ({
      text: text.endsWith('\r') ? text.slice(0, -1) : text,
      line: ++line,
    }));
    if (!headerSeen) {
      const at = pieces.findIndex(({ text }) => text !== '');
      if (at === -1) continue;
      refuseOtherHeader((pieces[at] as Piece).text);
      pieces.splice(0, at + 1);
      headerSeen = true;
    }
    yield reader.read(pieces);
  }
  if (!headerSeen) throw new UnreadableSource(`it has no header; its first line must be ${HEADER}.`);
  yield reader.end();
}

function refuseOtherHeader(text: string): void {
  const fields = fieldsOf(text);
  if (Array.isArray(fields) && fields.join(',') === HEADER) return;
  throw new UnreadableSource(`its first line is ${quote(text)}, and the header must be ${HEADER}.`);
}

/** Finds the entries in the lines of a file. */
class EntryReader {
  /** Lines from one on whose quote is open at their end. */
  #open: Piece[] = [];
  #openCharacters = 0;

  read(pieces: readonly Piece[]): SourceLine[] {
    const entries: SourceLine[] = [];
    // What is read again after a broken quote comes before what was not read yet.
    const ahead = [pieces[Symbol.iterator]()];
    for (;;) {
      const { done, value } = (ahead.at(-1) as Iterator<Piece>).next();
      if (done === true) {
        ahead.pop();
        if (ahead.length === 0) return entries;
        continue;
      }
      const again = this.#take(value, entries);
      if (again.length > 0) ahead.push(again[Symbol.iterator]());
    }
  }

  /** The entries of the lines whose quote was never closed. */
  end(): SourceLine[] {
    const entries: SourceLine[] = [];
    while (this.#open.length > 0) entries.push(...this.read(this.#giveUp(entries)));
    return entries;
  }

  /** Takes a line, and returns those that are to be read again. */
  #take(piece: Piece, entries: SourceLine[]): Piece[] {
    if (this.#open.length > 0) return this.#goOn(piece, entries);
    if (piece.text === '') return [];
    const fields = fieldsOf(piece.text);
    if (Array.isArray(fields)) {
      entries.push(entryOf(fields, piece.line));
    } else if (fields === 'never closed') {
      this.#open = [piece];
      this.#openCharacters = piece.text.length;
    } else {
      entries.push({ line: piece.line, fault: BROKEN_QUOTES[fields] });
    }
    return [];
  }

  #goOn(piece: Piece, entries: SourceLine[]): Piece[] {
    this.#open.push(piece);
    this.#openCharacters += piece.text.length + 1;
    if (this.#openCharacters > LINE_MAX_CHARACTERS) return this.#giveUp(entries);
    // Only a line with an odd number of quotes can close the one that is open.
    if ((piece.text.split('"').length - 1) % 2 === 0) return [];
    const fields = fieldsOf(this.#open.map(({ text }) => text).join('\n'));
    if (!Array.isArray(fields) || fields.length !== TRANSACTION_FIELDS.length) return this.#giveUp(entries);
    const [first, ...others] = this.#open as [Piece, ...Piece[]];
    refuseHidden(first, others);
    entries.push(entryOf(fields, first.line));
    this.#open = [];
    return [];
  }

  /** Reports the line that a quote was opened on, and returns those behind it. */
  #giveUp(entries: SourceLine[]): Piece[] {
    const [first, ...others] = this.#open as [Piece, ...Piece[]];
    entries.push({ line: first.line, fault: BROKEN_QUOTES['never closed'] });
    this.#open = [];
    return others;
  }
}

type BrokenQuote = 'never closed' | 'continued' | 'inside';

const BROKEN_QUOTES: Record<BrokenQuote, string> = {
  'never closed': 'a quote is opened and never closed; close it, or write a quote inside a field twice',
  continued: 'a quoted field goes on behind its closing quote; write a quote inside a field twice',
  inside:
    'a quote stands inside a field that is not quoted; quote the whole field, and write a quote inside it twice',
};

/**
 * Two stray quotes look like one field with line ends. Where lines between them could be entries, nobody knows whether
 * they are transactions or part of the field: to pass over them would lose good ones, to record them would record what a
 * payer wrote into a text.
 */
function refuseHidden(first: Piece, others: readonly Piece[]): void {
  const last = others.at(-1) as Piece;
  for (const { text, line } of others.slice(0, -1)) {
    const fields = fieldsOf(text);
    if (Array.isArray(fields) && fields.length === TRANSACTION_FIELDS.length) {
      throw new UnreadableSource(
        `line ${line} is inside of a quoted field that begins on line ${first.line} and ends on line ${last.line}, and could be an entry: correct the quotes of these two lines.`,
      );
    }
  }
}

/** The fields of one entry by RFC 4180, or which of its quotes is broken. */
function fieldsOf(text: string): string[] | BrokenQuote {
  if (!text.includes('"')) return text.split(',');
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end === -1) return 'never closed';
      fields.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
      if (at < text.length && text[at] !== ',') return 'continued';
    } else {
      const comma = text.indexOf(',', at);
      const end = comma === -1 ? text.length : comma;
      const field = text.slice(at, end);
      if (field.includes('"')) return 'inside';
      fields.push(field);
      at = end;
    }
    if (at === text.length) return fields;
  }
}

/** The place of the first quote from `at` on that is not one of a pair, or -1. */
function closingQuote(text: string, at: number): number {
  for (let end = text.indexOf('"', at); end !== -1; end = text.indexOf('"', end + 2)) {
    if (text[end + 1] !== '"') return end;
  }
  return -1;
}

function entryOf(fields: readonly string[], line: number): SourceLine {
  if (fields.length !== TRANSACTION_FIELDS.length) {
    return { line, fault: `has ${fields.length} columns, and the header has ${TRANSACTION_FIELDS.length}` };
  }
  const record: Record<string, string | null> = {};
  for (const [column, name] of TRANSACTION_FIELDS.entries()) record[name] = fields[column] || null;
  return { line, record };
}

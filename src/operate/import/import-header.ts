import { detailOfColumn } from '../../../values/detail-name.ts';
import { COLUMN_FIELDS } from '../../../values/interface/fields.ts';
import { quote } from '../../../values/quote.ts';
import { type CsvHeader, csvFields } from '../../../values/read-csv.ts';
import { UnreadableSource } from '../../../values/source-line.ts';
import { OPTIONAL_FIELDS, TRANSACTION_FIELDS } from '../../ledger/transaction-fields.ts';
import { ARCHIVED_CHANGE_COLUMNS } from '../archive/archive.ts';

const IMPORT_HEADER = TRANSACTION_FIELDS.join(',');
const NOT_READ: readonly string[] = ARCHIVED_CHANGE_COLUMNS;
const OPTIONAL_COLUMNS = `${COLUMN_FIELDS.join(', ')} and details.NAME`;

const OTHER_DELIMITERS: Readonly<Record<string, string>> = { ';': 'semicolons', '\t': 'tabs' };

function isHeaderWith(delimiter: string, line: string): boolean {
  const names: readonly string[] = csvFields(line, delimiter) ?? [];
  return names.length > 1 && names.some((name) => (TRANSACTION_FIELDS as readonly string[]).includes(name));
}

function wrongColumn(names: readonly string[]): string | undefined {
  const optional: readonly string[] = OPTIONAL_FIELDS;
  const isDetail = (name: string) => detailOfColumn(name) !== undefined;
  return names.find(
    (name, at) =>
      !(optional.includes(name) || NOT_READ.includes(name) || isDetail(name)) ||
      names.indexOf(name) !== at ||
      (isDetail(name) && names.includes('details')),
  );
}

export const importHeader: CsvHeader = {
  expected: IMPORT_HEADER,
  read(text) {
    const names = csvFields(text, ',') ?? [];
    const whole = TRANSACTION_FIELDS.length;
    const begins = names.slice(0, whole).join(',') === IMPORT_HEADER;
    const wrong = begins ? wrongColumn(names.slice(whole)) : undefined;
    if (begins && wrong === undefined)
      return {
        delimiter: ',',
        columns: names.map((name) => (NOT_READ.includes(name) ? null : name)),
        ...(names.length > whole && { recordOf: withDetails }),
      };
    if (/\r./s.test(text))
      throw new UnreadableSource('its lines end with CR alone; end each line with LF or CR LF.');
    if (wrong !== undefined)
      throw new UnreadableSource(
        `its column ${quote(wrong)} is unknown or repeated; after ${IMPORT_HEADER}, ${OPTIONAL_COLUMNS} can follow, each once.`,
      );
    const delimiter = Object.keys(OTHER_DELIMITERS).find((other) => isHeaderWith(other, text));
    if (delimiter !== undefined)
      throw new UnreadableSource(
        `its columns are separated by ${OTHER_DELIMITERS[delimiter]}, and an import reads columns that are separated by commas. Save it with commas; the header must be ${IMPORT_HEADER}; ${OPTIONAL_COLUMNS} can follow.`,
      );
    throw new UnreadableSource(
      `its first line is ${quote(text)}, and the header must be ${IMPORT_HEADER}; ${OPTIONAL_COLUMNS} can follow.`,
    );
  },
};

function withDetails({ details = null, ...record }: Record<string, string | null>): Record<string, unknown> {
  const given = Object.entries(record).flatMap(([column, text]) => {
    const name = detailOfColumn(column);
    return name === undefined ? [] : [{ column, name, text }];
  });
  if (given.length === 0) return { ...record, details: details && jsonOrText(details) };
  const others = Object.entries(record).filter(([column]) => detailOfColumn(column) === undefined);
  const texts = given.filter(({ text }) => text !== null).map(({ name, text }) => [name, text]);
  return { ...Object.fromEntries(others), details: texts.length > 0 ? Object.fromEntries(texts) : null };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

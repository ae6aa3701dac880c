import { type Format, growingTable } from '../../../values/terminal/table.ts';
import { type ComparedFields, comparedValue } from '../../reconcile/compared-fields.ts';
import { csvHead, csvLine, sideFields, valueOn } from '../../reconcile/differences-csv.ts';
import type { Difference } from '../../reconcile/find-differences.ts';

export const CLASS_NAMES = {
  equal: 'equal',
  missing_here: 'missing here',
  missing_there: 'missing there',
  differing: 'differing',
} as const;

export const RECONCILE_FORMATS: Readonly<
  Record<'table' | 'json' | 'csv', (compared: ComparedFields) => Format<Difference>>
> = {
  table: ({ key, fields }) =>
    growingTable([
      { title: 'DIFFERENCE', text: ({ kind }) => CLASS_NAMES[kind] },
      { title: 'LINE', text: ({ line }) => (line === null ? '-' : String(line)), isNumber: true },
      {
        title: key === 'merchantReference' ? 'MERCHANT REFERENCE' : key.toUpperCase(),
        text: ({ file, account }) => distinct(valueOn(file, account, key) ?? '-'),
      },
      { title: 'VALUES', text: (one) => valuesOf(one, { key, fields }) },
    ]),
  json: () => ({
    head: [],
    lines: (page) =>
      page.map(({ kind, line, fields, file, account }) =>
        JSON.stringify({ difference: kind, line, fields, file, account }),
      ),
  }),
  csv: (compared) => ({
    head: [csvHead(compared)],
    lines: (page) => page.map((one) => csvLine(one, compared)),
  }),
};

function valuesOf(difference: Difference, compared: ComparedFields): string {
  const { file, account, fields } = difference;
  if (file !== null && account !== null) {
    return fields
      .map(
        (field) =>
          `${field} ${distinct(file[field] ?? 'empty')} in the file, ${distinct(comparedValue(account, field) ?? 'empty')} in the account`,
      )
      .join('; ');
  }
  return sideFields(compared)
    .map((field) => [field, field === compared.key ? null : valueOn(file, account, field)] as const)
    .flatMap(([field, value]) => (value === null ? [] : [`${field} ${distinct(value)}`]))
    .join(', ');
}

const LOOK_ALIKES = /(?![- ])[\p{Cf}\p{Pd}\p{Zs}\u2212]/gu;
const SEPARATE_ACCENTS = /\p{Mn}/gu;

/** Shows what the eye can miss: a space at the end, an unusual dash, or an accent as a separate character. */
function distinct(text: string): string {
  const isComposed = text === text.normalize('NFC');
  const shown = [LOOK_ALIKES, ...(isComposed ? [] : [SEPARATE_ACCENTS])].reduce(
    (replaced, characters) => replaced.replace(characters, numberOf),
    text,
  );
  return shown === text && text === text.trim() && !text.includes('  ') ? text : `"${shown}"`;
}

const numberOf = (character: string) =>
  `\\u${(character.codePointAt(0) as number).toString(16).padStart(4, '0')}`;

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

const foundBy = { file: 'test/differential/differential.test.ts', test: 'random histories on SQLite' };

/** Each changes what the parts of the service have in common, so that they can still agree with each other. */
export const HISTORIES: readonly Promised[] = [
  {
    promise:
      'Whatever is recorded, read, archived, erased, copied and restored, in any order, is what a model has that was written from the specification',
    in: [],
    faults: [
      {
        name: 'the last day of a range is left out everywhere',
        file: 'src/ledger/list/list-filter.ts',
        from: 'startOfDayMs(timeZone, toDay + 1)',
        to: 'startOfDayMs(timeZone, toDay)',
        foundBy,
      },
      {
        name: 'a final recording replaces every field of a pending one',
        file: 'src/ledger/record/record-transaction.ts',
        from: 'isAdvance ? FINAL_FIELDS : COMPARED_FIELDS',
        to: 'isAdvance ? [] : COMPARED_FIELDS',
        foundBy,
      },
      {
        name: 'changes below the floor are requested as if they were there',
        file: 'src/ledger/changes/list-changes.ts',
        from: 'if (after < floorSequence) throw',
        to: 'if (after < 0) throw',
        foundBy,
      },
      {
        name: 'an archive does not take what it removes off the totals',
        file: 'src/operate/archive/sqlite/account-archiver.ts',
        from: 'add(account, sums);',
        to: '',
        foundBy,
      },
      {
        name: 'a change that is recorded after a restore or an erasure has the id of the lost one',
        file: 'src/ledger/changes/change-id.ts',
        from: '`${account} ${sequence} ${nonce}`',
        to: '`${account} ${sequence}${nonce.toString().slice(0, 0)}`',
        foundBy,
      },
      {
        name: 'a quote in a cell is not doubled',
        file: 'src/values/csv-cell.ts',
        from: `\${text.replaceAll('"', '""')}`,
        to: '${text}',
        foundBy,
      },
    ],
  },
];

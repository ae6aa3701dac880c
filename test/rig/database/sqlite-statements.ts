import { StatementSync } from 'node:sqlite';
import { openStore } from '../../../src/store/open-store.ts';
import { USES } from '../store/use-every-call.ts';
import { sectionsOf } from './statement-sections.ts';

type Run = (this: StatementSync, ...values: never[]) => unknown;

/** The file that has them. */
export const STATEMENTS_FILE = 'test/store/statements-sqlite.sql';

const HEADER = `-- Every statement of the store on SQLite as it is sent, under the call of the store that sends it first (src/store/store.ts).
-- Written by "npm run statements".
`;

/** The SQL of each call of the store on SQLite, as a text. In memory, the writes run on this thread too. */
export async function sqliteStatements(): Promise<string> {
  const sent = new Set<string>();
  const methods = StatementSync.prototype as unknown as Record<string, Run>;
  const originals = ['all', 'get', 'run'].map((name) => [name, methods[name] as Run] as const);
  for (const [name, original] of originals)
    methods[name] = function (...values) {
      sent.add(this.sourceSQL);
      return original.apply(this, values);
    };
  const { store } = await openStore('sqlite::memory:', () => 0);
  // Those of opening the database are the migrations'.
  const known = new Set(sent);
  const take = () => {
    const added = [...sent].filter((text) => !known.has(text));
    for (const text of added) known.add(text);
    return added.map((text) => `${text};\n`);
  };
  try {
    const { recordHeld: _, ...uses } = USES;
    return [HEADER, ...(await sectionsOf(store, uses, take))].join('\n');
  } finally {
    for (const [name, original] of originals) methods[name] = original;
  }
}

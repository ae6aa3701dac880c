import { DatabaseSync, StatementSync } from 'node:sqlite';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { USES } from '../store/use-every-call.ts';

export interface SqliteStatement {
  call: string;
  text: string;
  plan: string[];
}

const EXPLAIN = 'EXPLAIN QUERY PLAN ';

export const planOf = (db: DatabaseSync, sql: string): string[] =>
  db
    .prepare(`${EXPLAIN}${sql}`)
    .all()
    .map((step) => String(step['detail']))
    .filter((step) => /^(SEARCH|SCAN|USE|CO-ROUTINE|MATERIALIZE)/.test(step));

export async function sentToSqlite({ close, ...uses }: typeof USES): Promise<SqliteStatement[]> {
  const undos: (() => void)[] = [];
  const note = (of: object, name: string, seen: (value: never, first: string) => void) => {
    const methods = of as Record<string, (...values: string[]) => unknown>;
    const original = methods[name] as (...values: string[]) => unknown;
    undos.push(() => {
      methods[name] = original;
    });
    methods[name] = function (...values) {
      seen(this as never, values[0] as string);
      return original.apply(this, values);
    };
  };
  const databases = new Map<string, DatabaseSync>();
  const sent = new Set<string>();
  note(DatabaseSync.prototype, 'prepare', (db: DatabaseSync, text) => databases.set(text, db));
  for (const name of ['all', 'get', 'run'])
    note(StatementSync.prototype, name, ({ sourceSQL }: StatementSync) => sent.add(sourceSQL));
  const statements: SqliteStatement[] = [];
  const { store } = await openStore('sqlite::memory:', () => 0);
  try {
    const known = new Set(sent);
    for (const [call, use] of Object.entries(uses)) {
      await use(store as Store);
      for (const text of [...sent].filter((one) => !known.has(one) && !one.startsWith(EXPLAIN))) {
        known.add(text);
        statements.push({ call, text, plan: planOf(databases.get(text) as DatabaseSync, text) });
      }
    }
    await close(store);
  } finally {
    for (const undo of undos) undo();
  }
  return statements;
}

import type { DatabaseSync } from 'node:sqlite';

/** Reads the head sequence of an account: 0 if it has none. */
export function headReader(db: DatabaseSync): (account: string) => number {
  const read = db.prepare('SELECT head_sequence FROM accounts WHERE account = ?');
  read.setReturnArrays(true);
  return (account) => (read.get(account) as unknown as [number] | undefined)?.[0] ?? 0;
}

/** The sequence numbers of the accounts that one transaction of the database changes. */
export interface SequenceNumbers {
  /** The number of the account's next change, which is given only by `advance`. */
  next(account: string): number;
  advance(account: string): void;
}

/**
 * Runs work that gives sequence numbers, and stores the new heads. Both belong to the caller's transaction of the database,
 * which holds the write lock: each head is read once.
 */
export function numberGiver(
  db: DatabaseSync,
): <Result>(work: (numbers: SequenceNumbers) => Result) => Result {
  const readHead = headReader(db);
  const storeHead = db.prepare(
    `INSERT INTO accounts (account, head_sequence) VALUES (?, ?)
     ON CONFLICT (account) DO UPDATE SET head_sequence = excluded.head_sequence`,
  );

  return (work) => {
    const heads = new Map<string, { head: number; isNew: boolean }>();
    const headOf = (account: string) => {
      let found = heads.get(account);
      if (found === undefined) {
        found = { head: readHead(account), isNew: false };
        heads.set(account, found);
      }
      return found;
    };
    const result = work({
      next: (account) => headOf(account).head + 1,
      advance: (account) => {
        const found = headOf(account);
        found.head++;
        found.isNew = true;
      },
    });
    for (const [account, { head, isNew }] of heads) if (isNew) storeHead.run(account, head);
    return result;
  };
}

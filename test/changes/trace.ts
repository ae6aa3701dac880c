import type pg from 'pg';

/*
 * Checks that the model of proof/models/numbering.pml allows what PostgreSQL's own snapshots show. Each
 * database transaction that gives numbers stores them, with the snapshot in which it read the previous head.
 * A transaction that was rolled back or killed leaves no trace, and must leave no number.
 */

/** A STABLE function sees the snapshot of the statement. A VOLATILE one would also see later commits. */
const NOTE = (table: string, column: string, note: string) => `
ALTER TABLE ${table} ADD COLUMN ${column} text[] NOT NULL DEFAULT '{}';
CREATE FUNCTION note_${table}() RETURNS trigger LANGUAGE plpgsql STABLE AS $$
DECLARE before text[] := CASE TG_OP WHEN 'UPDATE' THEN OLD.${column} ELSE '{}' END;
BEGIN ${note} RETURN NEW; END $$;
CREATE TRIGGER note_${table} BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION note_${table}();`;

const PREPARE = `
${NOTE(
  'accounts',
  'steps',
  `IF NEW.head_sequence > 0 AND (TG_OP = 'INSERT' OR NEW.head_sequence <> OLD.head_sequence) THEN
    NEW.steps := before || concat_ws(' ', pg_current_xact_id(), NEW.head_sequence, pg_current_snapshot());
  END IF;`,
)}
${NOTE(
  'transactions',
  'givers',
  `IF TG_OP = 'INSERT' OR NEW.final_sequence IS DISTINCT FROM OLD.final_sequence THEN
    NEW.givers := before || concat_ws(' ', pg_current_xact_id(), coalesce(NEW.final_sequence, NEW.pending_sequence));
  END IF;`,
)}`;

/** A number that a database transaction gave to a change. */
interface Given {
  xid: bigint;
  number: number;
}

/** One replacement of an account's head, in the order of the commits. */
export interface Step {
  xid: bigint;
  head: number;
  snapshot: string;
}

export interface Read {
  snapshot: string;
  head: number;
  numbers: number[];
}

export interface Trace {
  account: string;
  steps: Step[];
  given: Given[];
  reads: Read[];
}

/** Adds triggers that record what happens to the tables of a database. */
export async function noteTraces(client: pg.Client): Promise<void> {
  await client.query(PREPARE);
}

export async function readAll(client: pg.Client, traces: Map<string, Trace>): Promise<void> {
  const { rows } = await client.query(`SELECT account, head_sequence, pg_current_snapshot()::text AS snapshot,
    ARRAY(SELECT number FROM transactions AS t CROSS JOIN LATERAL unnest(ARRAY[pending_sequence, final_sequence]) AS number
      WHERE t.account = accounts.account AND number IS NOT NULL ORDER BY number) AS numbers FROM accounts`);
  for (const { account, head_sequence, snapshot, numbers } of rows) {
    const trace: Trace = traces.get(account) ?? { account, steps: [], given: [], reads: [] };
    traces.set(account, trace);
    trace.reads.push({ snapshot, head: Number(head_sequence), numbers: numbers.map(Number) });
  }
}

export async function readNotes(client: pg.Client, traces: Map<string, Trace>): Promise<void> {
  const accounts = await client.query('SELECT account, steps FROM accounts');
  for (const { account, steps } of accounts.rows)
    for (const step of steps as string[]) {
      const [xid = '', head, snapshot = ''] = step.split(' ');
      const noted = { xid: BigInt(xid), head: Number(head), snapshot };
      traces.get(account)?.steps.push(noted);
    }
  const given = await client.query('SELECT account, givers FROM transactions');
  for (const { account, givers } of given.rows)
    for (const giver of givers as string[]) {
      const [xid = '', number] = giver.split(' ');
      traces.get(account)?.given.push({ xid: BigInt(xid), number: Number(number) });
    }
}

/** True if a snapshot, `xmin:xmax:running,running`, includes what a database transaction committed. */
function shows(snapshot: string, xid: bigint): boolean {
  const [, xmax = '0', running = ''] = snapshot.split(':');
  return xid < BigInt(xmax) && !running.split(',').includes(String(xid));
}

/** The first step that the model does not allow, or undefined. */
export function firstForbidden({ account, steps, given, reads }: Trace): string | undefined {
  let head = 0;
  for (const [index, step] of steps.entries()) {
    const what = `${account}: transaction ${step.xid} with the head ${step.head}`;
    const before = steps[index - 1];
    if (step.xid === before?.xid) {
      head = step.head;
      continue;
    }
    if (before !== undefined && !shows(step.snapshot, before.xid))
      return `${what} has read the head before ${before.xid} was committed`;
    const later = steps.slice(index + 1).find(({ xid }) => shows(step.snapshot, xid));
    if (later !== undefined) return `${what} came before ${later.xid}, and has read what that one wrote`;
    const last = steps.findLast(({ xid }) => xid === step.xid)?.head ?? 0;
    const numbers = given.filter(({ xid }) => xid === step.xid).map(({ number }) => number);
    const expected = Array.from({ length: last - head }, (_, offset) => head + 1 + offset);
    if (numbers.sort((a, b) => a - b).join() !== expected.join())
      return `${what} has given the numbers ${numbers} after the head ${head}`;
    head = step.head;
  }
  const stray = given.find(({ xid }) => !steps.some((step) => step.xid === xid));
  if (stray !== undefined) return `${account}: the number ${stray.number} was given without its head`;
  for (const read of reads) {
    const visible = steps.findLast(({ xid }) => shows(read.snapshot, xid))?.head ?? 0;
    const isDense = read.numbers.every((number, index) => number === index + 1);
    if (read.head !== visible || !isDense || read.numbers.length !== read.head)
      return `${account}: a read has the head ${read.head} and the numbers ${read.numbers}; committed was ${visible}`;
  }
  return undefined;
}

import pg from 'pg';
import {
  arrayQuery,
  asRefused,
  connectToPrimary,
  explainError,
  parsePostgresUrl,
  RECORDING_SETTINGS_ON_CITUS,
  type Value,
} from '../../../db/postgres/driver/index.ts';
import { DATABASE_NOW_MS } from '../../../db/postgres/sent-statement.ts';
import { addSumsScript } from '../../../ledger/postgres/add-to-totals.ts';
import { LIMITS, refuseRoleThatSeesLess } from '../../postgres/open-verify-reader.ts';
import { query, type Writer } from '../writer.ts';

const literal = (value: string | number) =>
  typeof value === 'number' ? String(value) : pg.escapeLiteral(value);

export async function openPostgresWriter(url: string, verb: 'Archive' | 'Erase'): Promise<Writer> {
  let client: pg.Client | undefined;
  try {
    ({ client } = await connectToPrimary(parsePostgresUrl(url), {
      ...LIMITS,
      // These settings also work without Citus, so this code need not know which kind of server it uses.
      planSettings: RECORDING_SETTINGS_ON_CITUS,
    }));
    await refuseRoleThatSeesLess(client, verb);
    return postgresWriter(client);
  } catch (error) {
    client?.end().catch(() => {});
    throw asRefused(error);
  }
}

function postgresWriter(client: pg.Client): Writer {
  // Without a listener, a lost connection would end the process. The next statement reports the loss.
  client.on('error', () => {});
  const send = async (text: string): Promise<Value[][]> => {
    try {
      return (await client.query<Value[]>(arrayQuery(text))).rows;
    } catch (error) {
      throw explainError(error);
    }
  };
  return {
    now: DATABASE_NOW_MS,
    literal,
    lockRows: ' FOR NO KEY UPDATE',
    lockTable: (table) => [`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`],
    transactionsByReference: 'transactions',
    jsonText: (column, property) => `${column}::json ->> '${property}'`,
    *addSums(account, sums) {
      if (sums.length === 0) return;
      yield* query(addSumsScript(account, sums));
      const days = sums.map(({ day }) => day);
      yield* query(
        `DELETE FROM daily_totals WHERE account = ${literal(account)} AND count = 0 AND amount = 0 AND day BETWEEN ${Math.min(...days)} AND ${Math.max(...days)}`,
      );
    },
    run: async (script) => {
      await send('BEGIN');
      try {
        const running = script();
        let step = running.next();
        while (step.done !== true) step = running.next(await send(step.value));
        await send('COMMIT');
        return step.value;
      } catch (error) {
        await send('ROLLBACK').catch(() => {});
        throw error;
      }
    },
    end: () => client.end(),
  };
}

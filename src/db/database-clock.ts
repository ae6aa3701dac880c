import type { Db } from './db.ts';
import { statementsOf } from './statement.ts';

const READ = statementsOf(new URL('./clock.sql', import.meta.url))('readClock', (row) => row.integer());

export const readDatabaseClock = async (db: Db): Promise<number> => (await db.read(READ, {}))[0] as number;

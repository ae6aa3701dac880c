/*
 * npm run statements   writes the SQL of the store on each database to test/store. A test fails if it is not up to date.
 */

import { writeFileSync } from 'node:fs';
import { queryPostgres } from '../test/rig/database/postgres.ts';
import { startPostgres } from '../test/rig/database/postgres-server.ts';
import {
  STATEMENTS_FILE as POSTGRES_FILE,
  postgresStatements,
} from '../test/rig/database/postgres-statements.ts';
import { STATEMENTS_FILE as SQLITE_FILE, sqliteStatements } from '../test/rig/database/sqlite-statements.ts';

const write = (file: string, text: string) => writeFileSync(new URL(`../${file}`, import.meta.url), text);

write(SQLITE_FILE, await sqliteStatements());

const server = await startPostgres();
let count = 0;
try {
  const makeDatabase = async () => {
    const name = `statements_${count++}`;
    await queryPostgres(`${server.url}/postgres`, `CREATE DATABASE ${name}`);
    return `${server.url}/${name}`;
  };
  write(POSTGRES_FILE, await postgresStatements(makeDatabase));
} finally {
  await server.stop();
}

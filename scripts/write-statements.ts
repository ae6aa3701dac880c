/*
 * npm run statements   writes the SQL of the store on SQLite to docs. A test fails if it is not up to date.
 */

import { writeFileSync } from 'node:fs';
import { STATEMENTS_FILE, sqliteStatements } from '../test/rig/sqlite-statements.ts';

writeFileSync(new URL(`../${STATEMENTS_FILE}`, import.meta.url), await sqliteStatements());

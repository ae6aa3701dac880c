import { addressForPrograms } from '../../../store/open-store.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { printResult } from '../../terminal/output.ts';

/** A text as one word of a shell. */
const word = (text: string) => (/^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** The commands that back a PostgreSQL database up and restore it. None contains the password. */
function postgresCommands(databaseUrl: string, file: string): string[] {
  const address = addressForPrograms(databaseUrl);
  const restored = address.replace(/\/[^/?]+(?=\?|$)/, '/NEW_DATABASE');
  const path = file.startsWith('-') ? `./${file}` : file;
  return [
    `pg_dump --format=custom --file=${word(path)} --dbname=${word(address)}`,
    `createdb --maintenance-db=${word(address)} NEW_DATABASE`,
    `pg_restore --exit-on-error --no-owner --dbname=${word(restored)} ${word(path)}`,
  ];
}

/**
 * Prints how PostgreSQL's own programs back a database up.
 *
 * Throws: CommandFailed always, because there is no backup yet.
 */
export function explainPostgresBackup(databaseUrl: string, file: string): never {
  const [dump = '', ...restore] = postgresCommands(databaseUrl, file);
  printResult(dump);
  throw new CommandFailed(
    "No backup was made: PostgreSQL's own programs make it. Run the printed command as the role that owns the tables, with umask 077 and the password in PGPASSWORD or in ~/.pgpass.",
    'To restore it into a new database, run:',
    ...restore.map((command) => `  ${command}`),
    'A backup as of any moment needs pg_basebackup and archived logs instead. On Citus, pg_dump sees no single moment of all machines: archive the logs of each machine, and restore all of them to one citus_create_restore_point.',
  );
}

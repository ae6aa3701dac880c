import { addressForPrograms } from '../../../store/open-store.ts';
import { printNote, printResult } from '../../terminal/output.ts';

/** A text as one word of a shell. */
const word = (text: string) => (/^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** The commands that back a PostgreSQL database up and restore it. None contains the password. */
function postgresCommands(databaseUrl: string, file: string) {
  const { address, user } = addressForPrograms(databaseUrl);
  const { address: byAdministrator } = addressForPrograms(databaseUrl, 'ADMINISTRATOR');
  const restored = address.replace(/\/[^/?]+(?=\?|$)/, '/NEW_DATABASE');
  const path = file.startsWith('-') ? `./${file}` : file;
  return {
    // Without extensions but PostgreSQL's own: the owner of the tables can't restore those of a superuser.
    backup: [
      'umask 077',
      `pg_dump --format=custom --extension=plpgsql --file=${word(path)} --dbname=${word(address)}`,
    ],
    restore: [
      // The owner of the tables often has no right to create databases.
      `createdb --maintenance-db=${word(byAdministrator)} --owner=${word(user === '' ? 'OWNER_OF_THE_TABLES' : user)} NEW_DATABASE`,
      `pg_restore --exit-on-error --no-owner --dbname=${word(restored)} ${word(path)}`,
    ],
  };
}

/** Prints a shell script in which PostgreSQL's own program backs a database up. */
export function printPostgresBackup(databaseUrl: string, file: string): void {
  const { backup, restore } = postgresCommands(databaseUrl, file);
  printResult(...backup);
  printNote(
    'No backup was made: PostgreSQL\'s own program makes it. Run the printed commands, or add "| sh", as the role that owns the tables, with the password in PGPASSWORD or in ~/.pgpass.',
    'To restore it into a new database, run these. ADMINISTRATOR is a role that can create databases, such as postgres:',
    ...restore.map((command) => `  ${command}`),
    'A backup of any moment needs pg_basebackup and archived logs instead. On Citus, pg_dump sees no single moment of all machines: archive the logs of each machine, and restore all of them to one citus_create_restore_point.',
  );
}

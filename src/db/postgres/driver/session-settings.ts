/**
 * What the statements of the service mean depends on these settings, which a server, a database or a role can have otherwise. Nothing
 * depends on other ones: no statement has a time or bytes in the form of text. search_path and default_transaction_read_only stay as
 * the operator set them.
 */
export const RELIED_ON: Readonly<Record<string, string>> = {
  // At any other level, recordings of one account that wait for each other would fail.
  default_transaction_isolation: 'read committed',
  // NULL in the text of an array is null, and not the word.
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  // A definition in the catalog is compared with the text that a migration makes.
  quote_all_identifiers: 'off',
  // A policy filters rows, and does not make the statement fail.
  row_security: 'on',
  // An error ends its statement, and not the connection that other statements share.
  exit_on_error: 'off',
};

/** A session that has this setting got all of its options: a pooler refuses or ignores them. */
export const OWN_SESSION = { 'transactions.session': 'own' };

/** The level of synchronous_commit at which the server acknowledges what it can lose. All others are at least `local`. */
const CAN_BE_LOST = 'off';
const LEAST_COMMIT = 'local';

/** The level at which a session commits: it is raised to the least one, and never lowered. */
export const COMMIT_LEVEL = `CASE current_setting('synchronous_commit') WHEN '${CAN_BE_LOST}' THEN '${LEAST_COMMIT}' ELSE current_setting('synchronous_commit') END`;

/** The settings among those of a session that are not as the service needs them, each with the value that it needs. */
export function wrongSettings(found: Readonly<Record<string, string>>): [name: string, needed: string][] {
  const wrong = Object.entries(RELIED_ON).filter(([name, needed]) => found[name] !== needed);
  if (found['synchronous_commit'] === CAN_BE_LOST) wrong.push(['synchronous_commit', LEAST_COMMIT]);
  return wrong;
}

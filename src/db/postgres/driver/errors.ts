import pg from 'pg';
import { sentence } from '../../../../values/sentence.ts';
import { movedAway, StoreRefused, StoreUnavailable } from '../../../../values/store-errors.ts';
import type { UnavailableReason } from '../../../../values/unavailable.ts';

function serverError(error: unknown): pg.DatabaseError | undefined {
  if (error instanceof StoreUnavailable || error instanceof StoreRefused) return serverError(error.cause);
  return error instanceof pg.DatabaseError ? error : undefined;
}

export function sqlState(error: unknown): string {
  return serverError(error)?.code ?? '';
}

export function isRefusedByPooler(error: unknown): boolean {
  return /unsupported startup parameter/i.test((error as Error).message);
}

/** The server lacks a prepared statement, or already has it. A pooler causes both. */
export function isLostStatement(error: unknown): boolean {
  return ['26000', '42P05'].includes(sqlState(error));
}

/** True if the connection can serve other statements. It cannot after FATAL, PANIC or a lost connection. */
export function isStatementError(error: unknown): boolean {
  const reported = serverError(error);
  if (reported === undefined) return false;
  const { severity } = reported;
  // If the server does not report the severity in English, the class of the code decides.
  if (severity === 'ERROR') return true;
  return severity !== 'FATAL' && severity !== 'PANIC' && !/^(08|57P0)/.test(sqlState(error));
}

/** True if the next statement needs a new connection, for example because the server is read-only (25006). */
export function endsConnection(error: unknown): boolean {
  return !isStatementError(error) || sqlState(error) === '25006';
}

export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

const failedSteps = new WeakMap<Error, number>();

export function noteFailedStep(error: Error, step: number): void {
  failedSteps.set(error, step);
}

/** Counts from 0. Undefined if no server reported the error. */
export function failedStep(error: unknown): number | undefined {
  const reported = serverError(error);
  return reported && failedSteps.get(reported);
}

export function isDuplicate(error: unknown, constraint: string): boolean {
  return sqlState(error) === '23505' && breaks(error, constraint);
}

/** Citus adds a shard number to the constraint's name. A worker's error has the name only in its message. */
function breaks(error: unknown, constraint: string): boolean {
  const { constraint: named, message = '' } = serverError(error) ?? {};
  return new RegExp(`(?<!\\w)${constraint}(_\\d+)?(?!\\w)`).test(named ?? message);
}

export function isSlowStatement(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** The server cancelled the statement because it conflicts with another. Sending it again succeeds. */
export function isDeadlock(error: unknown): boolean {
  return ['40P01', '40001'].includes(sqlState(error));
}

/** Citus moved the shard after it had planned the statement. Sending the statement again succeeds. */
function isMovedShard(error: unknown): boolean {
  const reported = serverError(error);
  return reported?.code === 'XX000' && /^could not find valid entry for shard/.test(reported.message);
}

/** True if a statement changed nothing, and succeeds when it is sent again at once. */
export function isRepeatable(error: unknown): boolean {
  return isLostStatement(error) || isDeadlock(error) || isMovedShard(error);
}

/** The `routine` of every error that a trigger raises with RAISE, whatever the SQLSTATE is. */
const RAISES = 'exec_stmt_raise';
/** The server function that refuses a written row because of a policy of row-level security. */
const CHECKS_POLICIES = 'ExecWithCheckOptions';
const ROW_REFUSALS: ReadonlySet<string | undefined> = new Set([RAISES, CHECKS_POLICIES]);

/** True if the values of one row, a rule of the table, or a trigger of the operator caused the error. */
export function isRowError(error: unknown): boolean {
  if (!isStatementError(error)) return false;
  if (isMoved(error)) return false;
  return (
    ROW_REFUSALS.has(serverError(error)?.routine) || !/^(25|26|42|53|55000|57014|58)/.test(sqlState(error))
  );
}

/** A mistake of the service, such as wrong SQL, is returned unchanged, because no retry corrects it. */
export function explainError(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  hideRow(error);
  if (isClosedAccount(error))
    return new StoreUnavailable('account_erased', 'the account is being erased', { cause: error });
  if (isMoved(error)) return movedAway(error);
  if (sqlState(error) === '42501') return new StoreRefused(explainPostgresError(error), { cause: error });
  if (/^(2[1-3]|42|44|P0)/.test(sqlState(error))) return error;
  const message = `the database can't answer: ${(error as Error).message}`;
  return new StoreUnavailable(reasonOf(error), message, { cause: error });
}

function isClosedAccount(error: unknown): boolean {
  return sqlState(error) === '23514' && breaks(error, 'account_is_open');
}

/** The constraint that refuses writes while a database is marked as moved, or as the target of a copy. */
export const MOVED_CONSTRAINT = 'database_was_moved';

/** The code is 23514 (check_violation), or XX000 (internal error) if a Citus worker refuses copied rows. */
function isMoved(error: unknown): boolean {
  return ['23514', 'XX000'].includes(sqlState(error)) && breaks(error, MOVED_CONSTRAINT);
}

const isReadTimeout = (error: unknown) => /read timeout/i.test((error as Error).message);

function reasonOf(error: unknown): UnavailableReason {
  if (isLockTimeout(error)) return 'database_locked';
  if (isSlowStatement(error) || isReadTimeout(error)) return 'database_timeout';
  const state = sqlState(error);
  if (state === '25006') return 'no_primary';
  return state === '' || /^(08|53300|57P0)/.test(state) ? 'database_connection' : 'database_error';
}

/** The detail of an error shows the refused row, which can contain a secret that must not be logged. */
function hideRow(error: unknown): void {
  const reported = serverError(error);
  if (reported !== undefined && /^23/.test(sqlState(error))) reported.detail = undefined;
}

/** The server function that refuses connections by the rules in pg_hba.conf. */
const CHECKS_RULES = 'ClientAuthentication';

function explainRefusedLogin(error: unknown): string {
  const { message } = error as Error;
  return serverError(error)?.routine === CHECKS_RULES
    ? `the rules of the server (pg_hba.conf) do not let this connection in: ${sentence(message)} If they require TLS, write sslmode=verify-full into the address; if they require a certificate, also sslcert and sslkey.`
    : `the server refuses the user: ${sentence(message)} Correct the address.`;
}

export const asRefused = (error: unknown): StoreRefused =>
  error instanceof StoreRefused ? error : new StoreRefused(explainPostgresError(error), { cause: error });

/** The driver gives this error no code, so its text is compared. */
const NO_TLS = 'The server does not support SSL connections';

export function explainPostgresError(error: unknown): string {
  if (error instanceof StoreUnavailable && error.reason === 'no_primary') return sentence(error.message);
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'connect' && (code === 'ENOENT' || code === 'EACCES'))
    return `its Unix socket cannot be opened: ${sentence(message)} Start the server, or correct the folder of the socket in the address (host=), its port, or the rights of this user.`;
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there. Start the server, or correct the address.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name is not known. Correct the address.';
    case 'ENOENT':
      return `a file that its address names cannot be read: ${sentence(message)} Correct sslrootcert, sslcert or sslkey.`;
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `no known authority signed the certificate of the server: ${sentence(message)} Write &sslrootcert= and the file of its authority into the address.`;
    case '28P01':
      return 'the server refuses the user or the password. Correct the address.';
    case '28000':
      return explainRefusedLogin(error);
    case '3D000':
      return 'the server has no such database. Create it with createdb, or correct the address.';
    case '42501':
      return `this user lacks a right: ${sentence(message)} Record, import and make keys as the role that owns the tables. To serve lists as this user, run "transactions migrate" as the owner, with --grant-to for this user.`;
    case '53300':
      return 'the server has no connection left. Raise its max_connections, or try again later.';
    case '57P03':
      return `the server is not ready: ${sentence(message)} Try again when it is.`;
    case '25006':
      return 'the server only reads: it is a standby, or is configured as read-only. Name the primary in the address.';
    default:
      if (message === NO_TLS)
        return 'its server has no TLS, and sslmode in the address asks for it. Switch TLS on at the server (ssl = on). If the network is trusted, write sslmode=disable.';
      return /timeout expired|read timeout/i.test(message)
        ? 'the server does not answer in time. Check that it runs, and that no firewall blocks the way.'
        : `the server reports: ${sentence(message)}`;
  }
}

import type { Command } from 'commander';
import { CommandFailed, UsageError } from '../../values/failure.ts';
import { sentence } from '../../values/sentence.ts';
import { explainFileError } from '../../values/terminal/file-error.ts';
import { printNote } from '../../values/terminal/output.ts';
import {
  ArgumentError,
  AuthenticationError,
  ChangesArchivedError,
  ConnectionError,
  type ErrorCode,
  HistoryChangedError,
  InvalidRequestError,
  ProblemError,
  RequestTimeoutError,
  type RetryInfo,
  SequenceAheadError,
  TransactionsClient,
  TransactionsError,
} from '../src/index.ts';

export interface ServiceOptions {
  url?: string | undefined;
  allowHttp?: boolean | undefined;
}

export const withService = (command: Command): Command =>
  command
    .option('--url <url>', 'URL of the service (default: TRANSACTIONS_URL)')
    .option('--allow-http', 'allow http:// URLs of other machines, without TLS');

export interface Service {
  url: string;
  apiKey: string;
  allowHttp: boolean;
  onRetry?: (retry: RetryInfo) => void;
}

export type ServiceOf = (options: ServiceOptions) => Promise<Service>;

export function checkService(service: Service, urlName: '--url' | 'TRANSACTIONS_URL' | 'HOST'): Service {
  try {
    new TransactionsClient(service);
    return { ...service, onRetry: (retry) => noteRetry(service.url, retry) };
  } catch (error) {
    throw error instanceof ArgumentError
      ? new UsageError(
          `${error.message.startsWith('The apiKey') ? 'TRANSACTIONS_API_KEY' : urlName}: ${error.message.replace('set allowHttp', 'give --allow-http')}`,
        )
      : error;
  }
}

function noteRetry(url: string, { error, retry }: RetryInfo): void {
  if (retry > 1 || !process.stderr.isTTY) return;
  printNote(`The service at ${url} does not answer (${outageReason(error)}). Trying again.`);
}

/** The search command takes `text` as its argument: it has no option `--text`. */
export const optionOf = (parameter: string) =>
  parameter === 'text'
    ? parameter
    : `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const OPTION_FAULTS: Partial<Record<ErrorCode, (parameter: string) => string>> = {
  date_range_inverted: (parameter) =>
    `it is after ${optionOf(parameter.replace('from', 'to').replace('From', 'To'))}. Give the earlier day, or the same day for both.`,
  invalid_by: () => 'totals of one merchantReference are not split. Omit --by.',
  invalid_change_id: () =>
    'it is not the id of a change. Give the --after-id that was printed with --after, or leave it out with --after 0.',
  missing_search_term: () =>
    'Give a part of a reference, or --amount, --amount-from, --amount-to, --paid-from or --paid-to. To print all transactions, use "transactions list".',
};

const AFTER_RESTORE = [
  'Check first that the key is for the account of your copy. If it is, the service was restored from a backup, and has lost changes that you have.',
  'Give --after and --after-id of an earlier change that you have. If the service refuses them too, give those of a change before it.',
  'In your copy, undo the changes after the one that the service accepts. If it accepts none, begin a new copy without --after.',
  'If "transactions changes --follow" runs during a restore, it finds that change itself.',
];

/** `incomplete` is a sentence that says how far the command came. It is undefined if nothing was read yet. */
export function explain(error: unknown, url: string, incomplete: string | undefined): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof ChangesArchivedError && error.floorSequence !== null)
    return new CommandFailed(
      `The service at ${url}: changes up to ${error.floorSequence} of this account are archived.`,
      `For the changes that are left, give --after ${error.floorSequence}.`,
      'For a complete copy, run "transactions export --json --output FILE --manifest MANIFEST", then "transactions changes --after N --after-id ID": N is asOf and ID is asOfId of the manifest.',
    );
  if (error instanceof HistoryChangedError)
    return new CommandFailed(
      `The service at ${url}: this account's change with the number --after has another id than --after-id.`,
      ...AFTER_RESTORE,
    );
  if (error instanceof SequenceAheadError)
    return new CommandFailed(
      `The service at ${url}: --after is larger than the number of the last change of this account${error.headSequence === null ? '' : `, ${error.headSequence}`}.`,
      ...AFTER_RESTORE,
    );
  if (error instanceof InvalidRequestError && error.faults.length > 0 && incomplete === undefined) {
    return new UsageError(
      ...error.faults.map(
        ({ parameter, code: fault, detail }) =>
          `${optionOf(parameter)}: ${OPTION_FAULTS[fault]?.(parameter) ?? detail}`,
      ),
    );
  }
  if (error instanceof TransactionsError) {
    const lines = incomplete === undefined ? [] : [incomplete];
    const isLost =
      incomplete !== undefined && error.cause instanceof Error && codeOf(error.cause) === 'UND_ERR_SOCKET';
    const text = isLost ? `The connection to the service at ${url} was lost.` : explainService(error, url);
    return new CommandFailed(text, ...lines);
  }
  if (code !== undefined)
    return new CommandFailed(`The output can't be written, and is incomplete: ${explainFileError(error)}`);
  return error;
}

function explainService(error: TransactionsError, url: string): string {
  if (error instanceof AuthenticationError) {
    return `The service at ${url} does not accept the key in TRANSACTIONS_API_KEY: ${error.message}`;
  }
  if (error instanceof ConnectionError) {
    // If the error has no cause, the response was incomplete.
    if (!(error.cause instanceof Error)) return `The service at ${url}: ${error.message}`;
    const code = codeOf(error.cause);
    if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code))
      return `${url} speaks http, not https. Give --url ${url.replace(/^https/i, 'http')}.`;
    if (/^http:/i.test(url) && code === 'UND_ERR_SOCKET')
      return `${url} closed the connection. If it speaks https, give --url ${url.replace(/^http/i, 'https')}.`;
    const { message, cause } = error.cause;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
    return `Can't connect to the service at ${url}: ${sentence(reason)} ${remedyOf(code)}`;
  }
  if (error instanceof RequestTimeoutError) return `${error.message} Give another URL with --url.`;
  return `The service at ${url}: ${error.message}`;
}

export function outageReason(error: Error): string {
  if (error instanceof ProblemError) return `status ${error.status}`;
  if (error instanceof RequestTimeoutError) return 'no response in time';
  return (error.cause instanceof Error && codeOf(error.cause)) || 'the connection was lost';
}

const codeOf = ({ cause, code }: NodeJS.ErrnoException): string =>
  (cause as NodeJS.ErrnoException | undefined)?.code ?? code ?? '';

function remedyOf(code: string): string {
  if (code === 'ECONNREFUSED') return 'Start it with "transactions serve", or give another URL with --url.';
  if (code === 'CERT_HAS_EXPIRED')
    return 'Renew the certificate of the service, or of the proxy in front of it.';
  if (/^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code))
    return 'If you trust the authority of the certificate, set NODE_EXTRA_CA_CERTS to its file.';
  return 'Give another URL with --url.';
}

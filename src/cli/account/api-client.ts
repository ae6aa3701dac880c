import { isIPv6 } from 'node:net';
import {
  ArgumentError,
  AuthenticationError,
  ConnectionError,
  type ErrorCode,
  InvalidRequestError,
  TimeoutError,
  TransactionsError,
} from '../../../client/src/index.ts';
import type { Config } from '../../config/settings.ts';
import { CommandFailed, UsageError } from '../../values/failure.ts';
import { loadConfig } from '../load-config.ts';

/** The option of the commands that call the service. */
export const URL_OPTION = [
  '--url <url>',
  'URL of the service (default: http:// with HOST and PORT, such as http://127.0.0.1:3000)',
] as const;

/** The service that a command calls, and the key for it. */
export interface Service {
  url: string;
  apiKey: string;
}

/** The address of the service and the key in TRANSACTIONS_API_KEY. */
export function serviceOf(url: string | undefined): Service {
  const config = loadConfig();
  const apiKey = keyOf(config);
  return { url: url ?? defaultUrl(config), apiKey };
}

function keyOf({ secrets: { apiKey } }: Config): string {
  if (apiKey !== null) return apiKey;
  throw new UsageError(
    'Set TRANSACTIONS_API_KEY to the key of the account, in the environment or in .env. ' +
      '"transactions keys create" creates a key, and "transactions demo" prints one to try.',
  );
}

/** The URL of a service that was started with the same settings. */
function defaultUrl({ host, port }: Config): string {
  if (port === 0)
    throw new UsageError(
      'PORT is 0, so the port of the service is unknown. Give the URL of the service with --url.',
    );
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

/** The option of a parameter: merchantReference is --merchant-reference. */
const optionOf = (parameter: string) =>
  `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** What is wrong with an option, where the service's sentence says which parameter to send. */
const OPTION_FAULTS: Partial<Record<ErrorCode, string>> = {
  date_range_inverted: 'it is after --to. Give the earlier day, or the same day for both.',
};

/** The error with its remedy. `incomplete` is the line that says how much was printed, or undefined if nothing was. */
export function explain(error: unknown, url: string, incomplete: string | undefined): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof ArgumentError) return new UsageError(`--url: ${message}`);
  if (error instanceof InvalidRequestError && error.faults.length > 0 && incomplete === undefined) {
    return new UsageError(
      ...error.faults.map(
        ({ parameter, code: fault, detail }) => `${optionOf(parameter)}: ${OPTION_FAULTS[fault] ?? detail}`,
      ),
    );
  }
  if (error instanceof TransactionsError) {
    const lines = incomplete === undefined ? [] : [incomplete];
    return new CommandFailed(explainService(error, url), ...lines);
  }
  if (code !== undefined)
    return new CommandFailed(`The output can't be written, and is incomplete: ${message}.`);
  return error;
}

function explainService(error: TransactionsError, url: string): string {
  if (error instanceof AuthenticationError) {
    return `The service at ${url} does not accept the key in TRANSACTIONS_API_KEY: ${error.message}`;
  }
  if (error instanceof ConnectionError) {
    // Without a cause, the response was not complete.
    if (!(error.cause instanceof Error)) return `The service at ${url}: ${error.message}`;
    const { message, cause } = error.cause;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
    return `Can't connect to the service at ${url}: ${reason}. Start it with "transactions serve", or give another URL with --url.`;
  }
  // The message contains the URL.
  if (error instanceof TimeoutError) return `${error.message} Give another URL with --url.`;
  return `The service at ${url}: ${error.message}`;
}

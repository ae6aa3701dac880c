import { isIPv6 } from 'node:net';
import { checkService, type ServiceOf } from '../client/commands/api-client.ts';
import { loadConfig } from '../src/cli/with-store.ts';
import type { Config } from '../src/config/settings.ts';
import { UsageError } from '../values/failure.ts';

export const serviceOf: ServiceOf = async ({ url, allowHttp = false }) => {
  const config = loadConfig();
  const apiKey = keyOf(config);
  if (url !== undefined) return checkService({ url, apiKey, allowHttp }, '--url');
  const { transactionsUrl } = config;
  return transactionsUrl === null
    ? checkService({ url: defaultUrl(config), apiKey, allowHttp }, 'HOST')
    : checkService({ url: transactionsUrl, apiKey, allowHttp }, 'TRANSACTIONS_URL');
};

function keyOf({ secrets: { apiKey } }: Config): string {
  if (apiKey !== null) return apiKey;
  throw new UsageError(
    'Set TRANSACTIONS_API_KEY to the key of the account, in the environment or in .env. ' +
      '"transactions keys create" creates a key, and "transactions demo" prints one to try.',
  );
}

function defaultUrl({ host, port }: Config): string {
  if (port === 0)
    throw new UsageError(
      'PORT is 0, so the port of the service is unknown. Give the URL of the service with --url.',
    );
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

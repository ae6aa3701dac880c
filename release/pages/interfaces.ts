import type { Listener } from '../../src/http/telemetry/http-metrics.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { BUILT_IN_STATUSES, type StatusNames } from '../../values/status.ts';
import { deliveredChange } from './delivered-change.ts';
import { type ApiDescription, type DocumentReader, openapiDocument } from './openapi-document.ts';

const PUBLIC: ApiDescription = {
  title: 'Transactions',
  description:
    'Lists the transactions of the account that the API key belongs to, newest first. The [guides](/guides) begin with the first call, and have the ' +
    '[specification](/guides/specification) of the interface. The service has its own client for JavaScript and TypeScript: ' +
    'save [the module](/client/transactions-client.mjs) and [its types](/client/transactions-client.d.mts) with ' +
    '`curl -O ADDRESS/client/transactions-client.mjs -O ADDRESS/client/transactions-client.d.mts`, and import `TransactionsClient` from it. ' +
    'The [command line](/client/transactions.mjs) of an account is one file for Node 20 or later.',
  keyDescription:
    'An API key of the account: tk_live_ and 36 characters, or that of a session: ts_live_ and 36 characters.',
  webhooks: { change: deliveredChange },
  tags: [
    { name: 'transactions', description: 'Transactions' },
    { name: 'webhooks', description: 'Webhooks' },
    { name: 'keys', description: 'Keys and sessions' },
    { name: 'assistants', description: 'Assistants (MCP)' },
    { name: 'operation', description: 'Monitoring' },
  ],
};

const OPERATOR: ApiDescription = {
  title: "Transactions: the operator's interface",
  description:
    'Records and looks up transactions, and creates API keys, for the payment platform that operates the service.',
  keyDescription: 'A key of the operator: tk_operator_ and 36 characters.',
  tags: [
    { name: 'recording', description: 'Recording' },
    { name: 'looking up', description: 'Looking up' },
    { name: 'keys', description: 'Keys' },
    { name: 'sessions', description: 'Sessions' },
    { name: 'operation', description: 'Monitoring' },
  ],
};

const INTERFACES: Readonly<Record<Listener, ApiDescription>> = { public: PUBLIC, operator: OPERATOR };

export const documentOf = (
  listener: Listener,
  reader: DocumentReader = 'programs',
  statuses: StatusNames = BUILT_IN_STATUSES,
): object => openapiDocument(OPERATIONS, listener, statuses, reader, INTERFACES[listener]);

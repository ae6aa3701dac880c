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
    { name: 'transactions', description: 'Reading transactions' },
    { name: 'webhooks', description: 'Getting changes by HTTP requests to an endpoint' },
    { name: 'keys', description: 'What an API key is for, and sessions of people' },
    { name: 'assistants', description: 'Reading with the Model Context Protocol' },
    { name: 'operation', description: 'Monitoring the service' },
  ],
};

const OPERATOR: ApiDescription = {
  title: "Transactions: the operator's interface",
  description:
    'Records and looks up transactions, and creates API keys, for the payment platform that operates the service.',
  keyDescription: 'A key of the operator: tk_operator_ and 36 characters.',
  tags: [
    { name: 'recording', description: 'Recording transactions' },
    { name: 'looking up', description: 'Finding accounts and their transactions' },
    { name: 'keys', description: "Accounts' API keys" },
    { name: 'sessions', description: 'What lets people look at an account' },
    { name: 'operation', description: 'Monitoring the service' },
  ],
};

const INTERFACES: Readonly<Record<Listener, ApiDescription>> = { public: PUBLIC, operator: OPERATOR };

/** The OpenAPI document of a listener; that of the repository has the built-in statuses. */
export const documentOf = (
  listener: Listener,
  reader: DocumentReader = 'programs',
  statuses: StatusNames = BUILT_IN_STATUSES,
): object => openapiDocument(OPERATIONS, listener, statuses, reader, INTERFACES[listener]);

import type { Promised } from './promised.ts';
import { CHANGES } from './promises/changes.ts';
import { CLIENT } from './promises/client.ts';
import { CURSORS } from './promises/cursors.ts';
import { EXPORTS } from './promises/exports.ts';
import { HISTORIES } from './promises/histories.ts';
import { ISOLATION } from './promises/isolation.ts';
import { KEYS } from './promises/keys.ts';
import { LIMITS } from './promises/limits.ts';
import { LIST } from './promises/list.ts';
import { NETWORK } from './promises/network.ts';
import { OPERATE } from './promises/operate.ts';
import { RECORDING } from './promises/recording.ts';
import { SEARCH } from './promises/search.ts';
import { SECRETS } from './promises/secrets.ts';
import { START } from './promises/start.ts';
import { TOTALS } from './promises/totals.ts';
import { WEBHOOKS } from './promises/webhooks.ts';

/** The promises by subject, in the order of docs/promises.md. */
export const PROMISES: Readonly<Record<string, readonly Promised[]>> = {
  'The list': LIST,
  Cursors: CURSORS,
  Recording: RECORDING,
  Search: SEARCH,
  'The change feed': CHANGES,
  Totals: TOTALS,
  Exports: EXPORTS,
  Keys: KEYS,
  'Isolation of accounts': ISOLATION,
  Limits: LIMITS,
  Webhooks: WEBHOOKS,
  'The commands of the operator': OPERATE,
  'All of it together': HISTORIES,
  'The start of a command': START,
  Secrets: SECRETS,
  'The client and the page': CLIENT,
  'The network': NETWORK,
};

export const FAULTS = Object.values(PROMISES).flatMap((promises) => promises.flatMap(({ faults }) => faults));

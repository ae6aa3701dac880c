import authentication from './authentication.js';
import changeIds from './change-ids.js';
import changes from './changes.js';
import cursors from './cursors.js';
import deliveries from './deliveries.js';
import envelope from './envelope.js';
import exports from './exports.js';
import fields from './fields.js';
import filters from './filters.js';
import headers from './headers.js';
import keys from './keys.js';
import lookingUp from './looking-up.js';
import methods from './methods.js';
import order from './order.js';
import ownAccounts from './own-accounts.js';
import ownChanges from './own-changes.js';
import ownDetails from './own-details.js';
import ownExports from './own-exports.js';
import ownPages from './own-pages.js';
import parameters from './parameters.js';
import range from './range.js';
import recording from './recording.js';
import recordingDetails from './recording-details.js';
import responses from './responses.js';
import seals from './seals.js';
import search from './search.js';
import sessions from './sessions.js';
import timeZones from './time-zones.js';
import totals from './totals.js';
import values from './values.js';
import webhooks from './webhooks.js';

/** @type {readonly import('./check.js').Check[]} */
export const CHECKS = [
  ...envelope,
  ...fields,
  ...order,
  ...filters,
  ...range,
  ...timeZones,
  ...values,
  ...parameters,
  ...cursors,
  ...authentication,
  ...methods,
  ...responses,
  ...headers,
  ...ownAccounts,
  ...ownDetails,
  ...ownPages,
  ...recording,
  ...recordingDetails,
  ...keys,
  ...sessions,
  ...lookingUp,
  ...changes,
  ...changeIds,
  ...ownChanges,
  ...search,
  ...seals,
  ...totals,
  ...exports,
  ...ownExports,
  ...webhooks,
  ...deliveries,
];

import { nearest } from './nearest.ts';

/** Returns a hint to append to "x is not a scope", such as "; the scopes are read, webhooks". */
export function knownNames(
  name: string,
  known: Iterable<string>,
  kinds: string,
  isNearestSearched = true,
): string {
  const names = [...known];
  const all =
    names.length === 1
      ? `the only ${kinds.slice(0, -1)} is ${names[0]}`
      : `the ${kinds} are ${names.join(', ')}`;
  const meant = isNearestSearched ? (nearest(name, names) ?? synonymOf(name, names)) : undefined;
  return meant === undefined
    ? `; ${all}`
    : `: did you mean ${meant}? ${all.charAt(0).toUpperCase()}${all.slice(1)}`;
}

/** Words that other interfaces use, in lower case and without underscores. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  types: ['events', 'eventtypes', 'enabledevents', 'topics', 'event', 'eventtype'],
  state: ['enabled', 'active', 'disabled', 'status'],
  scopes: ['permissions', 'roles', 'rights'],
  person: ['email', 'user', 'userid', 'username'],
  details: ['metadata', 'customer', 'description', 'email', 'card', 'method', 'custom', 'tags'],
  relatedTo: ['parent', 'parentid', 'refundof', 'original', 'originaltransaction'],
  url: ['callback', 'callbackurl', 'endpoint', 'endpointurl', 'uri', 'target', 'targeturl', 'webhookurl'],
  label: ['name', 'description', 'title'],
  currencyCode: ['currency', 'ccy'],
  createdAt: ['created', 'timestamp', 'date', 'time'],
  merchantReference: ['order', 'orderid', 'ordernumber', 'externalid', 'invoice', 'invoiceid'],
  reference: ['id', 'transactionid', 'paymentid', 'txid'],
  amount: ['total', 'value', 'sum', 'price', 'amountminor', 'amountcents'],
};

function synonymOf(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replaceAll('_', '');
  return known.find((each) => SYNONYMS[each]?.includes(plain));
}

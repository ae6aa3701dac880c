import leven from 'leven';

/**
 * The known name that a misspelt name probably means, or undefined if none is close. Up to a third of the
 * letters can be wrong, or one in a short name. Two swapped neighbours count as one wrong letter.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = wrongLetters(name, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * The advice for an unknown name: the known name that it probably means, unless `isNearestSearched` is false,
 * and all known names. The advice continues a clause such as "is not a status". `kinds` is a plural noun.
 */
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

/** Words that other interfaces use for a name, in lower case and without underscores. */
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

/** The number of wrong letters, or infinity if the name cannot mean the known one. */
export function wrongLetters(name: string, known: string): number {
  const tolerance = Math.max(1, Math.floor(known.length / 3));
  // The distance is at least the difference of the lengths, so names of very different lengths need no
  // comparison.
  if (Math.abs(name.length - known.length) > tolerance) return Number.POSITIVE_INFINITY;
  const distance = distanceOf(name.toLowerCase(), known.toLowerCase());
  return distance <= tolerance ? distance : Number.POSITIVE_INFINITY;
}

const distanceOf = (name: string, candidate: string) =>
  hasSwappedLetters(name, candidate) ? 1 : leven(name, candidate);

/** True if the texts differ only in two swapped neighbouring letters. */
function hasSwappedLetters(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return left.slice(0, at) + left[at + 1] + left[at] + left.slice(at + 2) === right;
}

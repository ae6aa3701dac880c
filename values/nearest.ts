import leven from 'leven';

/**
 * The known name that a misspelt name probably means, or undefined if none is near. Up to a third of the
 * letters can be wrong, and at least one. Two swapped neighbours count as one wrong letter.
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
 * The advice for an unknown name: the nearest known one, if it is searched for and exists, and all known
 * names. It continues a clause such as "is not a status". `kinds` is the plural of the kind.
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

/** The words of other interfaces for a name, in small letters and without underscores. */
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

/** The number of wrong letters in a name that probably means a known one; infinite if it does not. */
export function wrongLetters(name: string, known: string): number {
  const tolerance = Math.max(1, Math.floor(known.length / 3));
  // The distance is at least the difference of the lengths, so a long name is refused without comparing
  // letters.
  if (Math.abs(name.length - known.length) > tolerance) return Number.POSITIVE_INFINITY;
  const distance = distanceOf(name.toLowerCase(), known.toLowerCase());
  return distance <= tolerance ? distance : Number.POSITIVE_INFINITY;
}

const distanceOf = (name: string, candidate: string) =>
  hasSwappedLetters(name, candidate) ? 1 : leven(name, candidate);

/** True if the texts differ only in the order of two neighbouring letters. */
function hasSwappedLetters(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return left.slice(0, at) + left[at + 1] + left[at] + left.slice(at + 2) === right;
}

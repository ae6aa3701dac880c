/* Some callers send parameters of other APIs, such as page_token. The error says what to send instead. */

interface Hint {
  names: RegExp;
  with?: string;
  without?: string;
  detail: (name: string) => string;
}

const PAID_NAMES = /^paid(_?(at|on|date))?(_?(from|to|after|before))?(\[(gte?|lte?)\])?$/i;
const AMOUNT_NAMES = /^amount(_?(from|to|min|max|gte?|lte?))?(\[(gte?|lte?)\])?$|^(min|max)_?amount$/i;
const DETAIL_NAMES = /^(customer|name|email|last4|card|method|metadata|details?)([._[].*)?$/i;
const COLUMN_NAMES = /^(fields|expand|include|select|embed|columns)$/i;

const HINTS: readonly Hint[] = [
  {
    names: /^(api_?key|key|(access_?)?token|auth(orization)?|bearer|secret)$/i,
    detail: () =>
      'Addresses are stored in logs and histories: if this was a key, roll the key. Send the key in the header Authorization: Bearer <API key>.',
  },
  {
    names: /^(next_?(cursor|page|token)?|page_?token|continuation(_?token)?|bookmark)$/i,
    with: 'cursor',
    detail: (name) => `The next page is requested with cursor: omit ${name}, and send nextCursor as cursor.`,
  },
  {
    names: /^(status|currency)\[\d*\]$|^(statuses|currencies)$/i,
    with: 'status',
    detail: (name) => {
      const meant = /^s/i.test(name) ? 'status' : 'currency';
      return `A request has one ${meant}: omit ${name}, and send one request for each ${meant}.`;
    },
  },
  {
    names: /^(currency_?code|ccy|iso_?(currency|code))$/i,
    with: 'currency',
    detail: (name) =>
      `The filter is called currency: omit ${name}, and send currency, for example currency=EUR.`,
  },
  {
    names: /^(tz|zone|utc_?offset)$/i,
    with: 'timeZone',
    detail: (name) =>
      `The days are those of timeZone: omit ${name}, and send a name such as timeZone=Europe/Berlin.`,
  },
  {
    names:
      /^(updated|modified|changed)(_?(at|on))?(_?(since|from|to|after|before|gte?|lte?))?(\[(gte?|lte?)\])?$/i,
    with: 'from',
    detail: (name) => `Later changes are in the change feed (/v1/changes): omit ${name} here.`,
  },
  {
    names: /^(total|totals|sum|with_?(total|count)|(total|include)_?count|stats)$/i,
    with: 'merchantReference',
    without: 'by',
    detail: (name) => `Counts and sums are at /v1/totals: omit ${name} here.`,
  },
  {
    names:
      /^(since|until|day|week|month|quarter|year|start|end|begin|(start|end|min|max|begin)_?(date|day|time|at)|dates?(_?(from|to|start|end|after|before|range))?|(from|to)_?(date|day)|created(_?(at|on|date))?(_?(from|to|after|before|since|until|start|end|gte?|lte?))?(\[(gte?|lte?)\])?)$/i,
    with: 'from',
    detail: (name) =>
      `Days of createdAt are sent as from and to, both inclusive: omit ${name}, and send for example from=2026-03-01&to=2026-03-31.`,
  },
  {
    names:
      /^(order_?(id|no|nr|number|ref(erence)?)|merchant_?(ref|order)|invoice(_?(id|no|nr|number))?|external_?(id|ref(erence)?))$/i,
    with: 'merchantReference',
    detail: (name) =>
      `The merchant's own number is merchantReference: omit ${name}, and send merchantReference.`,
  },
  {
    names: /^(id|reference|tx(_?id)?|transaction(_?(id|reference))?|payment(_?id)?)$/i,
    with: 'merchantReference',
    without: 'text',
    detail: (name) =>
      `One transaction is at /v1/transactions/{reference}: omit ${name}, and request that path.`,
  },
  {
    names: /^(related(_?to)?|parent(_?id)?|(refund|reversal)_?of|original(_?transaction)?)$/i,
    with: 'merchantReference',
    without: 'relatedTo',
    detail: (name) => `Related transactions are at /v1/transactions/{reference}/related: omit ${name}.`,
  },
  {
    names: PAID_NAMES,
    with: 'paidFrom',
    detail: (name) => `Days of paidAt are sent as paidFrom and paidTo, both inclusive: omit ${name}.`,
  },
  {
    names: AMOUNT_NAMES,
    with: 'amountFrom',
    detail: (name) => `A range of amounts is sent as amountFrom and amountTo, both inclusive: omit ${name}.`,
  },
  {
    names: DETAIL_NAMES,
    with: 'text',
    detail: (name) => `Omit ${name}, and send its value as text, which finds a part of any of the details.`,
  },
  {
    names: new RegExp(
      [/^(q|query|search|text|term|contains|keyword)$/i, DETAIL_NAMES, AMOUNT_NAMES, PAID_NAMES]
        .map(({ source }) => source)
        .join('|'),
      'i',
    ),
    with: 'merchantReference',
    without: 'text',
    detail: (name) =>
      `There is no ${name} here: the search (/v1/search) finds by amount, amountFrom, amountTo, text, paidFrom and paidTo.`,
  },
  {
    names:
      /^(sort(_?(by|order|dir(ection)?))?|order(_?(by|dir(ection)?))?|dir(ection)?|asc(ending)?|desc(ending)?|reverse)$/i,
    with: 'merchantReference',
    without: 'by',
    detail: (name) =>
      `The order is fixed, newest first: omit ${name}.${/^order$/i.test(name) ? ' The number of an order is sent as merchantReference.' : ''}`,
  },
  {
    names: /^(account|merchant|store|shop)(_?id)?$/i,
    with: 'merchantReference',
    detail: (name) => `The account follows from the API key, or from the path: omit ${name}.`,
  },
  {
    names: COLUMN_NAMES,
    with: 'details',
    detail: (name) =>
      `A file has all columns: omit ${name}. details=customer,last4 adds a column for each of these details.`,
  },
  {
    names: /^(sep|separator|delimiter|decimals?|encoding|charset|bom|headers?|quotes?|compress(ion)?)$/i,
    with: 'spreadsheet',
    detail: (name) => `A CSV file has one form (commas, points, UTF-8, a first line of names): omit ${name}.`,
  },
  {
    names: COLUMN_NAMES,
    with: 'merchantReference',
    without: 'by',
    detail: (name) => `Each item has all its fields: omit ${name}.`,
  },
  {
    names: /^(format|accept|output)$/i,
    with: 'cursor',
    detail: (name) =>
      `Responses are JSON: omit ${name}. GET /v1/transactions.csv and /v1/transactions.ndjson have all transactions as a file.`,
  },
  {
    names: /^(format|accept|output|type)$/i,
    with: 'spreadsheet',
    detail: (name) =>
      `The path says which file it is: omit ${name}. For a spreadsheet, send spreadsheet=true to /v1/transactions.csv.`,
  },
];

export function hintFor(name: string, known: readonly string[]): string | undefined {
  const hint = HINTS.find(
    (each) =>
      each.names.test(name) &&
      (each.with === undefined || known.includes(each.with)) &&
      !known.includes(each.without ?? ''),
  );
  return hint?.detail(name);
}

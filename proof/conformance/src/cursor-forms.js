const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * @param {string} cursor @param {import('./random.js').Random} random
 * @returns {[altered: string, how: string][]}
 */
export function alterationsOf(cursor, random) {
  const places = Array.from({ length: cursor.length }, (_, index) => index);
  const ends = [...places.slice(0, 6), ...places.slice(-8)];
  const chosen = new Set([...ends, ...random.sample(places, 34)]);
  /** @type {[string, string][]} */
  const altered = [...chosen].map((place, index) => {
    const old = ALPHABET.indexOf(cursor[place]);
    const other = index % 2 === 0 ? old ^ 32 : (old + 1 + random.below(62)) % 64;
    // The low bits of the last character may be unused, so its highest bit is changed.
    const character = old === -1 ? 'A' : ALPHABET[place === cursor.length - 1 ? old ^ 32 : other];
    return [
      cursor.slice(0, place) + character + cursor.slice(place + 1),
      `another character at place ${place + 1} of ${cursor.length}`,
    ];
  });
  const place = 1 + random.below(cursor.length - 2);
  altered.push(
    [cursor.slice(0, -1), 'its last character missing'],
    [cursor.slice(1), 'its first character missing'],
    [`${cursor}A`, 'a character more at its end'],
    [`A${cursor}`, 'a character more at its beginning'],
    [cursor.slice(0, place) + cursor.slice(place + 1), `the character at place ${place + 1} missing`],
    [swapCase(cursor), 'the case of all letters changed'],
    [cursor.slice(0, 4) + [...cursor.slice(4)].reverse().join(''), 'its characters reversed'],
  );
  return altered.filter(([text]) => text !== cursor);
}

/** @param {string} text */
const swapCase = (text) =>
  text.replace(/[a-z]/gi, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()));

/** @param {unknown} value */
const encoded = (value) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** @param {string | null} cursor */
export function forgeries(cursor) {
  const some = cursor ?? 'A'.repeat(120);
  return [
    'x',
    '0',
    'null',
    '2026-01-01T00:00:00.000Z',
    'tx_000001',
    "' OR 1=1 --",
    '\0',
    '💶',
    'A'.repeat(some.length),
    'A'.repeat(512),
    'A'.repeat(513),
    some.repeat(Math.ceil(600 / some.length)),
    some.slice(0, Math.floor(some.length / 2)),
    encoded({ createdAt: '2026-01-01T00:00:00.000Z', reference: 'x' }),
    encoded({ offset: 10 }),
    encoded('2026-01-01T00:00:00.000Z,tx_1'),
  ];
}

/** Other texts that decode to the bytes of the cursor. @param {string} cursor */
export function otherForms(cursor) {
  const bytes = Buffer.from(cursor, 'base64url');
  const forms = ['=', '==', ' ', '\n', '.'].map((end) => cursor + end);
  forms.push(` ${cursor}`, cursor.replaceAll('-', '+').replaceAll('_', '/'));
  for (const last of ALPHABET) {
    const form = cursor.slice(0, -1) + last;
    if (Buffer.from(form, 'base64url').equals(bytes)) forms.push(form);
  }
  return forms.filter((form) => form !== cursor);
}

/** @param {string} cursor @param {Transaction} last */
export function readable(cursor, last) {
  const decoded = [
    cursor,
    Buffer.from(cursor, 'base64url').toString('latin1'),
    Buffer.from(cursor, 'hex').toString('latin1'),
  ];
  const ms = String(Date.parse(last.createdAt));
  const needles = [last.reference, last.createdAt, last.createdAt.slice(0, 19), ms].filter(
    (one) => one.length >= 6,
  );
  for (const needle of needles) if (decoded.some((text) => text.includes(needle))) return needle;
  const bytes = Buffer.from(cursor, 'base64url');
  return isBinaryTime(bytes, Date.parse(last.createdAt))
    ? 'the time of the last item in binary form'
    : undefined;
}

/** @param {Buffer} bytes @param {number} ms */
function isBinaryTime(bytes, ms) {
  const forms = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8)];
  forms[0].writeBigInt64BE(BigInt(ms));
  forms[1].writeBigInt64LE(BigInt(ms));
  forms[2].writeDoubleBE(ms);
  forms[3].writeDoubleLE(ms);
  return forms.some((form) => bytes.includes(form));
}

const FAULTS = [
  ['status', 'nonsense', 'invalid_status'],
  ['currency', 'usd', 'invalid_currency'],
  ['from', '2026-02-30', 'invalid_date'],
  ['to', 'x', 'invalid_date'],
  ['curency', 'EUR', 'unknown_parameter'],
];

/** @param {Context} t */
export const unknownKey = (t) => ({ authorization: `Bearer tk_live_${t.random.letters(36)}` });

/** @param {Context} t @param {string} path @param {string} [what] */
export async function judgeKeyNeeded(t, path, what = path) {
  t.problem(await t.get(path, { authorization: null }), 401, 'missing_api_key', `${what} without a key`);
  t.problem(await t.get(path, unknownKey(t)), 401, 'invalid_api_key', `${what} with an invalid key`);
}

/** @param {string} id @param {string} rule @param {string[]} paths */
export const keyNeeded = (id, rule, ...paths) => ({
  id,
  section: 'authentication',
  rule,
  run: async (/** @type {Context} */ t) => {
    for (const path of paths) await judgeKeyNeeded(t, path);
  },
});

/** @param {Context} t @param {(query: Query) => Promise<Exchange>} send */
export async function judgeFilterFaults(t, send) {
  for (const [name, value, code] of FAULTS)
    t.fault(await send({ [name]: value }), code, name, `${name}=${value}`);
  const twice = await send([
    ['status', 'pending'],
    ['status', 'pending'],
  ]);
  t.fault(twice, 'duplicate_parameter', 'status', 'status twice');
  const inverted = await send({ from: '2026-01-02', to: '2026-01-01' });
  t.problem(inverted, 400, 'date_range_inverted', 'a range that is inverted');
}

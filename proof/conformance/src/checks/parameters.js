import { readPage } from '../page-through.js';
import { checksOf } from './check.js';

const NOT_PARAMETERS = [
  ['curency', 'currency'],
  ['Status', 'status'],
  ['statuss', 'status'],
  ['form', 'from'],
  ['cursors', 'cursor'],
  ['currencyCode', 'currency'],
];

const PAGE_SIZES = ['limit', 'page', 'offset', 'pageSize', 'page_size', 'per_page', 'size'];

const OTHERS = [
  'foo',
  'sort',
  'order',
  'account',
  'status[]',
  'filter[status]',
  '__proto__',
  'constructor',
  'q',
  'X',
  '',
];

const FAULTY = /** @type {const} */ ([
  ['status', 'nonsense', 'invalid_status'],
  ['currency', 'usd', 'invalid_currency'],
  ['from', '2026-02-30', 'invalid_date'],
  ['to', 'yesterday', 'invalid_date'],
  ['cursor', 'nonsense', 'cursor_malformed'],
]);

export default checksOf({ level: 'list', section: 'list' }, [
  {
    id: 'parameter.unknown',
    section: 'parameters',
    rule: 'A parameter that does not exist is 400 unknown_parameter and is named, whatever its value and however often it is sent.',
    async run(t) {
      const names = [...NOT_PARAMETERS.map(([name]) => name), ...PAGE_SIZES, ...OTHERS];
      await t.each(names, async (name) => t.fault(await t.list([[name, '5']]), 'unknown_parameter', name));
      t.fault(await t.list('foo=1&foo=2'), 'unknown_parameter', 'foo');
    },
  },
  {
    id: 'parameter.unknown.nearest',
    requirement: 'SHOULD',
    section: 'parameters',
    rule: 'The error of a misspelt parameter names the nearest existing one, and the error of limit and similar names says that the page size is 10.',
    run: (t) =>
      t.each([...NOT_PARAMETERS.slice(0, 3), ['limit', '10'], ['pageSize', '10']], async ([name, hint]) => {
        const page = t.status(await t.list({ [name]: '50' }), 400);
        const { detail, errors } = page.body ?? {};
        const isHint = JSON.stringify([detail, errors]).includes(hint);
        t.that(isHint, `${hint} in the error of ${name}`, page.text.slice(0, 400), page);
      }),
  },
  {
    id: 'parameter.duplicate',
    section: 'parameters',
    rule: 'A parameter that is sent twice, whatever its values, is one fault, 400 duplicate_parameter.',
    run: (t) =>
      t.each(
        [
          ['status', 'pending', 'completed'],
          ['status', 'pending', 'pending'],
          ['status', 'nonsense', 'x'],
          ['currency', 'EUR', 'USD'],
          ['from', '2026-01-01', '2026-01-01'],
          ['to', '2026-01-01', '2026-01-02'],
        ],
        async ([name, one, two]) =>
          t.fault(await t.list(`${name}=${one}&${name}=${two}`), 'duplicate_parameter', name),
      ),
  },
  {
    id: 'parameter.empty',
    section: 'parameters',
    rule: 'An empty value is an invalid value, not an absent one.',
    run: (t) =>
      t.each(FAULTY, async ([name, , code]) => {
        t.fault(await t.list([[name, '']]), code, name);
        t.fault(await t.list(name), code, name);
      }),
  },
  {
    id: 'parameter.encoding',
    section: 'parameters',
    rule: 'A query is read as application/x-www-form-urlencoded: percent-encoded letters, + for a space, and nothing between two &.',
    async run(t) {
      await t.accepted(['%63urrency=%45UR', '&&status=pending&']);
      const texts = (await t.facts.rows()).map(({ merchantReference }) => merchantReference);
      const spaced = texts.find((text) => text?.includes(' '));
      if (!spaced) return;
      const page = await t.list(`merchantReference=${encodeURIComponent(spaced).replaceAll('%20', '+')}`);
      if (page.body?.code === 'unknown_parameter') return;
      const [first] = readPage(page).data;
      const what = `the transactions with ${JSON.stringify(spaced)}, with + for each space`;
      t.that(first?.merchantReference === spaced, what, JSON.stringify(first ?? 'none'), page);
    },
  },
  {
    id: 'fault.each',
    section: 'errors',
    rule: 'Each invalid value is a 400 with the code of its fault, even beside valid parameters, and its entry in errors has a detail.',
    run: (t) =>
      t.each(FAULTY, async ([name, value, code]) => {
        const beside = name === 'status' ? { currency: 'EUR' } : { status: 'pending' };
        for (const query of [{ [name]: value }, { ...beside, [name]: value }]) {
          const page = await t.list(query);
          t.fault(page, code, name);
          const [{ detail }] = page.body.errors;
          const isText = typeof detail === 'string' && detail !== '';
          t.that(isText, 'a detail in the entry of errors', JSON.stringify(detail), page);
        }
      }),
  },
  {
    id: 'fault.several',
    section: 'parameters',
    rule: 'Several faulty parameters, including unknown and repeated ones, are reported together, in errors, with the code invalid_request.',
    async run(t) {
      await t.each(
        [
          [0, 1],
          [0, 1, 2],
          [1, 3],
          [0, 4],
          [0, 1, 2, 3],
        ],
        async (indexes) => {
          const faulty = indexes.map((index) => FAULTY[index]);
          const page = await t.list(faulty.map(([name, value]) => [name, value]));
          t.faults(
            page,
            faulty.map(([name, , code]) => `${name}: ${code}`),
          );
        },
      );
      t.faults(await t.list('curency=EUR&status=pending&status=pending&currency=usd'), [
        'curency: unknown_parameter',
        'status: duplicate_parameter',
        'currency: invalid_currency',
      ]);
    },
  },
]);

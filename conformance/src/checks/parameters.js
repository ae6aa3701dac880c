import { readPage } from '../page-through.js';
import { checksOf } from './check.js';

/** Names that are no parameter of the list, with the nearest one. */
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

/** An invalid value for each parameter, with its code. */
const FAULTY = /** @type {const} */ ([
  ['status', 'nonsense', 'invalid_status'],
  ['currency', 'usd', 'invalid_currency'],
  ['from', '2026-02-30', 'invalid_date'],
  ['to', 'yesterday', 'invalid_date'],
  ['cursor', 'nonsense', 'cursor_malformed'],
]);

const PARAMETERS = checksOf({ level: 'list', section: 'list' }, [
  {
    id: 'parameter.unknown',
    section: 'parameters',
    rule: 'A parameter that does not exist is 400 unknown_parameter and is named, whatever its value and however often it is sent.',
    async run(t) {
      await t.each([...NOT_PARAMETERS.map(([name]) => name), ...PAGE_SIZES, ...OTHERS], async (name) =>
        t.fault(await t.list([[name, '5']]), 'unknown_parameter', name, `the parameter ${name}`),
      );
      const twice = await t.list('foo=1&foo=2');
      t.fault(twice, 'unknown_parameter', 'foo', 'an unknown parameter that is sent twice');
    },
  },
  {
    id: 'parameter.unknown.nearest',
    requirement: 'SHOULD',
    section: 'parameters',
    rule: 'The error of a misspelt parameter names the nearest one that exists.',
    run: (t) =>
      t.each(NOT_PARAMETERS.slice(0, 3), async ([name, nearest]) => {
        const page = await t.list({ [name]: 'x' });
        t.status(page, 400, `the parameter ${name}`);
        t.that(
          JSON.stringify([page.body?.detail, page.body?.errors]).includes(nearest),
          `${nearest} in the error`,
          page.text.slice(0, 400),
          page,
        );
      }),
  },
  {
    id: 'parameter.page-size',
    requirement: 'SHOULD',
    section: 'parameters',
    rule: 'The error for limit and its like says that the page size is 10.',
    run: (t) =>
      t.each(['limit', 'pageSize'], async (name) => {
        const page = await t.list({ [name]: '50' });
        t.status(page, 400, `the parameter ${name}`);
        t.that(
          JSON.stringify([page.body?.detail, page.body?.errors]).includes('10'),
          '10 in the error',
          page.text.slice(0, 400),
          page,
        );
      }),
  },
  {
    id: 'parameter.duplicate',
    section: 'parameters',
    rule: 'A parameter that is sent twice, whatever its values, is 400 duplicate_parameter, one fault.',
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
          t.fault(
            await t.list([
              [name, one],
              [name, two],
            ]),
            'duplicate_parameter',
            name,
            `${name} twice`,
          ),
      ),
  },
  {
    id: 'parameter.empty',
    section: 'parameters',
    rule: 'An empty value is an invalid value, not an absent one.',
    run: (t) =>
      t.each(FAULTY, async ([name, , code]) => {
        t.fault(await t.list([[name, '']]), code, name, `${name}= without a value`);
        t.fault(await t.list(name), code, name, `${name} without a value and without =`);
      }),
  },
  {
    id: 'parameter.encoding',
    section: 'parameters',
    rule: 'A query is read as application/x-www-form-urlencoded: percent-encoded letters, + for a space, and nothing between two &.',
    async run(t) {
      t.status(await t.list('%63urrency=%45UR'), 200, 'currency=EUR with percent-encoded letters');
      t.status(await t.list('&&status=pending&'), 200, 'status=pending between separators');
      const rows = await t.facts.rows();
      const spaced = rows.find(({ merchantReference }) =>
        merchantReference?.includes(' '),
      )?.merchantReference;
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
    rule: 'Each invalid value is a 400 with the code of its fault, also beside valid parameters.',
    run: (t) =>
      t.each(FAULTY, async ([name, value, code]) => {
        const beside = name === 'status' ? { currency: 'EUR' } : { status: 'pending' };
        t.fault(
          await t.list({ ...beside, [name]: value }),
          code,
          name,
          `${name}=${value} beside a valid parameter`,
        );
      }),
  },
  {
    id: 'fault.several',
    section: 'parameters',
    rule: 'Several faulty parameters are reported together, in errors, with the code invalid_request.',
    run: (t) =>
      t.each(
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
      ),
  },
  {
    id: 'fault.several.kinds',
    section: 'parameters',
    rule: 'Unknown, repeated and invalid parameters are reported together too.',
    async run(t) {
      const page = await t.list([
        ['curency', 'EUR'],
        ['status', 'pending'],
        ['status', 'pending'],
        ['currency', 'usd'],
      ]);
      t.faults(page, [
        'curency: unknown_parameter',
        'status: duplicate_parameter',
        'currency: invalid_currency',
      ]);
    },
  },
  {
    id: 'fault.errors-form',
    section: 'errors',
    rule: 'Each of errors has a parameter, a code and a detail, and the code of a single fault is also that of the document.',
    run: (t) =>
      t.each(FAULTY, async ([name, value, code]) => {
        const page = await t.list({ [name]: value });
        const errors = page.body?.errors;
        t.that(
          Array.isArray(errors) && errors.length === 1,
          'one entry in errors',
          page,
          page,
          page.lackOf(400),
        );
        const [{ parameter, code: own, detail }] = errors;
        t.same({ parameter, code: own }, { parameter: name, code }, 'the entry', page);
        t.that(
          typeof detail === 'string' && detail !== '',
          'a detail in the entry',
          JSON.stringify(errors[0]),
          page,
        );
        t.same(page.body.code, code, 'the code of the document', page);
      }),
  },
]);

export default PARAMETERS;

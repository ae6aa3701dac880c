import { judgeList } from '../own-lists.js';
import { checksOf } from './check.js';

const VALUES = checksOf({ level: 'record', section: 'transactions', needs: 'operator' }, [
  {
    id: 'own.amounts',
    section: 'money',
    rule: 'Amounts are exact to the cent, large or small, with two decimals in every currency.',
    async run(t) {
      const account = await t.account('amounts');
      const amounts = [
        '0.01',
        '0.10',
        '1.10',
        '12.05',
        '4.35',
        '1.15',
        '8.20',
        '1000000.00',
        '8765432109876.53',
        '9999999999999.99',
      ];
      const rows = await account.recordMany(amounts.length, (index) => ({
        amount: amounts[index],
        currencyCode: ['EUR', 'JPY', 'KWD'][index % 3],
      }));
      await judgeList(t, account.client, rows);
    },
  },
  {
    id: 'own.texts',
    section: 'transactions',
    rule: 'A merchantReference comes back as it was recorded, to the last character.',
    async run(t) {
      const account = await t.account('texts');
      const texts = [
        `O'Neil "x" \\ / <b>&amp;</b>`,
        'ünïcödé 💶 日本',
        ' both sides ',
        'null',
        '%_*?',
        'e\u0301',
        '\u00e9',
        'x'.repeat(255),
        '$(id) {{7*7}}',
        '=1+1',
      ];
      const rows = await account.recordMany(texts.length, (index) => ({ merchantReference: texts[index] }));
      await judgeList(t, account.client, rows);
    },
  },
  {
    id: 'own.merchant-reference',
    section: 'list',
    rule: 'Where there is a filter merchantReference, it is exact: case, accents, spaces and wildcards count.',
    async run(t) {
      const account = await t.account('merchant-reference');
      const texts = [
        'order-1',
        'Order-1',
        'order-1 ',
        ' order-1',
        'order-10',
        'order_1',
        'order%',
        'e\u0301',
        '\u00e9',
        null,
        'null',
        'order-1',
        "'",
        'a&b=c',
        '+',
        '💶',
      ];
      const rows = await account.recordMany(texts.length, (index) => ({ merchantReference: texts[index] }));
      const first = await account.client.list({ merchantReference: 'order-1' });
      if (first.body?.code === 'unknown_parameter') t.notJudged('the deployment does not have this filter');
      for (const text of new Set(texts))
        if (text !== null) await judgeList(t, account.client, rows, { merchantReference: text });
    },
  },
]);

export default VALUES;

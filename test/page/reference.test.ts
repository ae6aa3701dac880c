import { LIST_EXAMPLES } from '../../src/ledger/http/transaction-examples.ts';
import { detailTest, eventually } from '../rig/page/browser.ts';

detailTest(
  'the reference shows the examples of a response, and requests nothing from other sites',
  async ({ page, url }) => {
    await page.goto(`${url}/docs`);
    await eventually(() => page.title(), 'Transactions: reference');
    await page.getByText("List the account's transactions").click();
    const success = page.locator('.response[data-code="200"]');
    const [first] = LIST_EXAMPLES.more.value.data;
    await success.getByText(`"${first?.reference}"`).waitFor();
    await success.locator('.examples-select select').selectOption({ label: LIST_EXAMPLES.last.summary });
    const [older] = LIST_EXAMPLES.last.value.data;
    await success.getByText(`"${older?.reference}"`).waitFor();
    await page.locator('.response[data-code="503"]').getByText('"unavailable"').waitFor();
    const client = page.getByRole('link', { name: 'the module' });
    await eventually(() => client.getAttribute('href'), '/client/transactions-client.mjs');
    await eventually(() => page.getByRole('link', { name: 'errors' }).getAttribute('href'), '/errors');
  },
);

import { LIST_EXAMPLES } from '../../src/ledger/http/transaction-examples.ts';
import { detailTest, eventually } from '../rig/page/browser.ts';

detailTest(
  'the reference shows the examples of a response, and requests nothing from other sites',
  async ({ page, url }) => {
    await page.goto(`${url}/docs`);
    await eventually(() => page.title(), 'Transactions: reference');
    await page.getByText("List the account's transactions").click();
    const success = page.locator('.response[data-code="200"]');
    const [last] = LIST_EXAMPLES.last.value.data;
    await success.getByText(`"${last?.reference}"`).waitFor();
    await success.locator('.examples-select select').selectOption({ label: LIST_EXAMPLES.more.summary });
    const [newest] = LIST_EXAMPLES.more.value.data;
    await success.getByText(`"${newest?.reference}"`).waitFor();
    await page.locator('.response[data-code="503"]').getByText('"unavailable"').waitFor();
    const client = page.getByRole('link', { name: 'the module' });
    await eventually(() => client.getAttribute('href'), '/client/transactions-client.mjs');
    await eventually(() => page.getByRole('link', { name: 'errors' }).getAttribute('href'), '/errors');
  },
);

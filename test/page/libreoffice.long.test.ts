import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { RowTotals } from '../../web/export/row-totals.ts';
import { Spreadsheet } from '../../web/export/spreadsheet.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

const SOFFICE = '/usr/bin/soffice';
const skip = existsSync(SOFFICE) ? false : 'needs the Debian package libreoffice-calc';

const ROWS: Transaction[] = [
  ['a', 'completed', '1234.50', '2026-06-14T22:30:00.000Z'],
  ['b', 'refunded', '-234.56', '2026-06-15T10:00:00.000Z'],
  ['0012', 'pending', '999999999999.99', null],
  ['long', 'pending', '9999999999999.99', null],
].map(([reference = '', status = '', amount = '', paidAt = null]) => ({
  reference: reference as string,
  merchantReference: '=1+1',
  status: status as string,
  amount: amount as string,
  currencyCode: 'EUR',
  paidAt,
  createdAt: '2026-06-14T22:15:00.000Z',
}));

/** Writes each cell as a spreadsheet with this locale shows it, with a vertical bar between the fields. */
const OPTIONS = 'csv:Text - txt - csv (StarCalc):124,34,76,1,,0,false,true,true,false,false,-1';

describe('an Excel file in LibreOffice', { skip }, () => {
  const folder = temporaryFolder();
  const file = `${folder.path}/file.xlsx`;
  before(async () => {
    const spreadsheet = new Spreadsheet('store-1', {
      filter: { from: '2026-06-15', to: '2026-06-15', by: 'payment' },
      zone: 'Europe/Berlin',
      format: 'xlsx',
    });
    const totals = new RowTotals();
    for (const row of ROWS) {
      spreadsheet.add(row);
      totals.add(row);
    }
    const manifest = { asOf: 3, startedAt: '2026-06-16T08:00:00.000Z', sha256: 'a'.repeat(64) };
    const { rows, data, net } = totals;
    const content = await spreadsheet.end({ manifest: manifest as ExportManifest, rows, totals: data, net });
    writeFileSync(file, Buffer.from(await content.arrayBuffer()));
  });
  after(folder.remove);

  const sheetsIn = async (locale: string) => {
    const profile = `${folder.path}/${locale}`;
    mkdirSync(`${profile}/user`, { recursive: true });
    writeFileSync(
      `${profile}/user/registrymodifications.xcu`,
      `<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item></oor:items>`,
    );
    await promisify(execFile)(
      SOFFICE,
      [
        `-env:UserInstallation=file://${profile}`,
        '--headless',
        '--convert-to',
        OPTIONS,
        '--outdir',
        profile,
        file,
      ],
      { timeout: GIVE_UP_MS },
    );
    return ['Transactions', 'Totals'].map((sheet) =>
      readFileSync(`${profile}/file-${sheet}.csv`, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split('|')),
    );
  };

  for (const [locale, amounts, net] of [
    ['de-DE', ['1.234,50', '-234,56', '999.999.999.999,99', '9999999999999.99'], '999,94'],
    ['en-US', ['1,234.50', '-234.56', '999,999,999,999.99', '9999999999999.99'], '999.94'],
  ] as const) {
    test(`amounts are numbers unless they are too long, times are dates and references are texts in ${locale}`, {
      timeout: 2 * GIVE_UP_MS,
    }, async () => {
      const [transactions = [], totals = []] = await sheetsIn(locale);
      const [names = [], ...rows] = transactions;
      const column = (name: string) => rows.map((row) => row[names.indexOf(name)]);
      assert.deepEqual(column('Amount'), amounts);
      assert.deepEqual(column('Payment ID'), ['a', 'b', '0012', 'long']);
      assert.deepEqual(column('Your reference'), Array(4).fill('=1+1'));
      assert.deepEqual(
        column('Paid (UTC)').slice(0, 2),
        ['2026-06-14 22:30:00.000', '2026-06-15 10:00:00.000'].map((time) =>
          locale === 'de-DE' ? time.replace('.', ',') : time,
        ),
      );
      assert.deepEqual(column('Created (Europe/Berlin)')[0]?.slice(0, 19), '2026-06-15 00:15:00');
      assert.ok(
        totals.some((row) => row[1] === 'Net (all that is paid)' && row[2] === '2' && row[3] === net),
      );
      assert.ok(totals.some((row) => row[1] === 'Paid 2026-06-15 (Europe/Berlin)'));
    });
  }
});

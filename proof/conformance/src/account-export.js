import { readExport, requestExport } from './export-file.js';
import { readCurrent } from './own-lists.js';
import { pageThrough } from './page-through.js';
import { dayOf } from './transaction.js';

export const MAX_PAGES = 300;

/** @param {Context} t @returns {Promise<Filter>} */
export async function filterOf(t) {
  const window = await t.facts.window();
  const oldest = window.rows.at(-1);
  if (oldest === undefined) return t.notJudged('the account has no transactions');
  return window.isComplete ? {} : { from: dayOf(oldest), to: dayOf(oldest) };
}

/**
 * @param {Context} t @param {'csv' | 'ndjson'} format
 */
export async function fileOf(t, format) {
  const filter = await filterOf(t);
  const file = await t.facts.once(`export ${format}`, async () => {
    const before = await pageThrough(t.client, filter, { maxPages: MAX_PAGES });
    const response = await requestExport(t.client, format, filter);
    return { before, response };
  });
  return { ...file, filter };
}

/** Throws: `Broken` if the export is cut or malformed. @param {Context} t @param {'csv' | 'ndjson'} format */
export const exportOf = async (t, format) => readExport((await fileOf(t, format)).response, format);

/**
 * Reads the manifest until it is complete, which can be a moment after the last bytes of the export.
 * @param {AccountClient} client @param {string} id
 */
export const manifestOf = (client, id) =>
  readCurrent(
    () => client.send(`/v1/exports/${encodeURIComponent(id)}`),
    ({ body }) => body?.state === 'running',
  );

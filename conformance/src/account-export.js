import { FORMATS, requestExport } from './export-file.js';
import { dayOf } from './transaction.js';
import { walk } from './walk.js';

/**
 * @typedef {import('./context.js').Context} Context
 * @typedef {import('./transaction.js').Filter} Filter
 */

/** Of a large account, a single day. @param {Context} t @returns {Promise<Filter>} */
export async function filterOf(t) {
  const window = await t.facts.window();
  const oldest = window.rows.at(-1);
  if (oldest === undefined) return t.notJudged('the account has no transactions');
  return window.isComplete ? {} : { from: dayOf(oldest), to: dayOf(oldest) };
}

/** An export of the account, which several checks judge. @param {Context} t @param {'csv' | 'ndjson'} format */
export async function fileOf(t, format) {
  const filter = await filterOf(t);
  const file = await t.facts.once(`export ${format}`, async () => {
    const before = await walk(t.client, filter, { maxPages: 300 });
    const response = await requestExport(t.client, format, filter);
    const after = await walk(t.client, filter, { maxPages: 300 });
    return { before, response, after };
  });
  return { ...file, filter };
}

/** The manifest under its own path. @param {Context} t @param {string} id */
export const manifestOf = (t, id) => t.get(`/v1/exports/${encodeURIComponent(id)}`);

/** Both formats, one after the other. @template T @param {(format: 'csv' | 'ndjson') => Promise<T>} judge */
export const both = (judge) => Promise.all(FORMATS.map(judge));

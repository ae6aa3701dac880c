import { htmlReport } from './html.js';
import { junitReport } from './junit.js';
import { textReport } from './text.js';

/** @type {Record<'text' | 'junit' | 'json' | 'html', (report: import('../../index.js').Report) => string>} */
const FORMATS = {
  text: textReport,
  junit: junitReport,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  html: htmlReport,
};

/** @param {import('../../index.js').Report} report @param {keyof typeof FORMATS} format */
export const formatReport = (report, format) => FORMATS[format](report);

/**
 * Checks a deployment of the transactions interface from outside.
 *
 *     import { runConformance } from 'transactions-conformance';
 *     const report = await runConformance({ url, key, only: ['list.*'] });
 *     const failed = report.results.filter(({ outcome }) => outcome === 'failed');
 */
export { CHECKS as checks } from './src/checks/index.js';
export { formatReport } from './src/report.js';
export { runConformance } from './src/run.js';

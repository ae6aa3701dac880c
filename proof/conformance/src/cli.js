import { writeFileSync } from 'node:fs';
import { parseArguments, USAGE, UsageError } from './arguments.js';
import { showCounts } from './failures.js';
import { formatChecks, formatReport, printable, progressLine } from './report.js';
import { runConformance, selectChecks } from './run.js';

/** @param {string[]} words @returns {Promise<number>} the exit status */
export async function main(words) {
  try {
    const parsed = parseArguments(words);
    if (parsed.action === 'help') {
      process.stdout.write(USAGE);
      return 0;
    }
    const checks = selectChecks(parsed.options);
    if (checks.length === 0) throw new UsageError('--only, --skip and --level leave no check');
    if (parsed.action === 'list') {
      process.stdout.write(formatChecks(checks));
      return 0;
    }
    const { options, format, output } = parsed;
    const report = await runConformance({ ...options, onResult: progress(checks.length) });
    const text = formatReport(report, format);
    if (output === undefined) process.stdout.write(text);
    else writeFileSync(output, text);
    if (output !== undefined || format !== 'text')
      process.stderr.write(`${printable(report.stopped ?? showCounts(report.summary))}\n`);
    return report.exitCode;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}

const PROGRESS_MS = 10_000;

/** @param {number} count */
function progress(count) {
  if (process.stderr.isTTY === true)
    return (/** @type {CheckResult} */ result) => void process.stderr.write(progressLine(result));
  let done = 0;
  const show = () => process.stderr.write(`${done} of ${count} checks are done\n`);
  const timer = setInterval(show, PROGRESS_MS).unref();
  return () => {
    if (++done === count) clearInterval(timer);
  };
}

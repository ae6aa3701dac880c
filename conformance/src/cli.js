import { writeFileSync } from 'node:fs';
import { parseArguments, USAGE, UsageError } from './arguments.js';
import { formatChecks } from './report/check-list.js';
import { formatReport } from './report/format.js';
import { printable, progressLine } from './report/text.js';
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
    const isTerminal = process.stderr.isTTY === true;
    const report = await runConformance({
      ...options,
      ...(isTerminal && { onResult: (result) => process.stderr.write(progressLine(result)) }),
    });
    const text = formatReport(report, format);
    if (output === undefined) process.stdout.write(text);
    else writeFileSync(output, text);
    if (output !== undefined || format !== 'text') process.stderr.write(`${printable(closing(report))}\n`);
    return report.exitCode;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}

/** @param {import('../index.js').Report} report */
function closing({ stopped, summary }) {
  if (stopped !== undefined) return stopped;
  const { passed, failed, notJudged } = summary;
  return `${passed} passed, ${failed} failed, ${notJudged} not judged`;
}

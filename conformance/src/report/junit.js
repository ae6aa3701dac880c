/** @param {string} text */
const escapeText = (text) =>
  // XML cannot have control characters, nor half a surrogate pair.
  text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');

/** Each check is a test case: a failed MUST is a failure; a failed SHOULD or MAY is skipped, with its message. @param {import('../../index.js').Report} report */
export function junitReport({ url, startedAt, durationMs, stopped, results }) {
  const cases = results.map(junitCase);
  const mustFailed = results.filter(
    ({ outcome, requirement }) => outcome === 'failed' && requirement === 'MUST',
  ).length;
  const skipped = results.filter(({ outcome }) => outcome !== 'passed').length - mustFailed;
  const error =
    stopped === undefined
      ? ''
      : `    <testcase classname="conformance" name="run"><error message="${escapeText(stopped)}"/></testcase>\n`;
  const errors = stopped === undefined ? 0 : 1;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="${escapeText(`conformance of ${url}`)}" tests="${results.length + errors}" failures="${mustFailed}" errors="${errors}" skipped="${skipped}" time="${durationMs / 1000}" timestamp="${startedAt}">
${error}${cases.join('')}  </testsuite>
</testsuites>
`;
}

/** @param {import('../../index.js').Result} result */
function junitCase({ id, requirement, level, link, sentence, rule, outcome, reason, failure, durationMs }) {
  const opening = `    <testcase classname="conformance.${level}" name="${escapeText(id)}" time="${durationMs / 1000}">`;
  if (outcome === 'passed') return `${opening}</testcase>\n`;
  if (outcome === 'not judged')
    return `${opening}<skipped message="${escapeText(`not judged: ${reason}`)}"/></testcase>\n`;
  const message = escapeText(`${requirement}: ${rule}`);
  if (requirement !== 'MUST')
    return `${opening}<skipped message="${escapeText(`failed, ${requirement}: ${rule}`)}"/></testcase>\n`;
  const text = escapeText(
    `${sentence ?? ''} (${link})\nexpected ${failure?.expected}\ngot ${failure?.got}\n${failure?.curl ?? ''}`.trimStart(),
  );
  return `${opening}<failure message="${message}">${text}</failure></testcase>\n`;
}

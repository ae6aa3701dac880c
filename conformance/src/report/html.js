import { failuresOf, showCounts } from './groups.js';
import { STYLE } from './style.js';

/** @typedef {import('../../index.js').Result} Result */

/** @param {string} text */
const escapeText = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** One page without scripts or other files. @param {import('../../index.js').Report} report */
export function htmlReport(report) {
  const { url, startedAt, durationMs, requests, seed, kit, stopped, results } = report;
  const of = (/** @type {Result['outcome']} */ outcome) =>
    results.filter((result) => result.outcome === outcome);
  const when = startedAt.slice(0, 16).replace('T', ' ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Conformance of ${escapeText(url)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Conformance</h1>
<p class="url">${escapeText(url)}</p>
${verdict(report)}
${stopped === undefined ? '' : `<p class="stopped">${escapeText(stopped)}</p>`}
<dl class="sums">
${sum('passed', of('passed').length)}${sum('failed', of('failed').length)}${sum('not judged', of('not judged').length)}
</dl>
${levelTable(report)}
${failuresOf(results).map(failedSection).join('\n')}
${notJudgedSection(of('not judged'))}
${section('Passed', of('passed'), plainItem)}
<footer><p>${when} UTC, ${requests} requests in ${(durationMs / 1000).toFixed(1)} seconds, seed ${seed}, version ${escapeText(kit)}. Keys are shown as variables.</p></footer>
</main>
</body>
</html>
`;
}

/** @param {import('../../index.js').Report} report */
function verdict({ stopped, summary: { failed, mustFailed, passed } }) {
  if (stopped !== undefined) return '<p class="verdict bad">Stopped</p>';
  if (mustFailed > 0)
    return `<p class="verdict bad">Does not conform: ${mustFailed} ${mustFailed === 1 ? 'check' : 'checks'} of what the interface requires failed</p>`;
  if (passed === 0) return '<p class="verdict some">Nothing was judged</p>';
  if (failed > 0) return '<p class="verdict some">Conforms, but not to every recommendation</p>';
  return '<p class="verdict good">Conforms, as far as this data can show</p>';
}

/** @param {import('../../index.js').Report} report */
function levelTable({ levels, next }) {
  const rows = levels.map(({ level, outcome, reason, ...counts }) => {
    const why = reason ?? showCounts(counts);
    return `<dt><code>${level}</code></dt><dd><strong>${outcome}</strong> ${escapeText(why)}</dd>`;
  });
  const link = next && `<p>Next: <code>${next.level}</code>, ${linkTo(next.link)}</p>`;
  return `<section><h2>Levels</h2>\n<article><dl>${rows.join('\n')}</dl>${link ?? ''}</article>\n</section>`;
}

/** @param {string} link */
const linkTo = (link) => `<a href="${escapeText(link)}">${escapeText(link)}</a>`;

/** @param {string} name @param {number} count */
const sum = (name, count) => `<div class="${name.replace(' ', '-')}"><dt>${name}</dt><dd>${count}</dd></div>`;

/** @param {string} title @param {Result[]} results @param {(result: Result) => string} item */
function section(title, results, item) {
  if (results.length === 0) return '';
  return `<section><h2>${title} <span>${results.length}</span></h2>\n${results.map(item).join('\n')}\n</section>`;
}

/** @param {Result} result */
const heading = ({ id, requirement }) =>
  `<h3><code>${escapeText(id)}</code> <span class="requirement">${requirement}</span></h3>`;

/** @param {Result} result */
const ruleOf = ({ rule, sentence, link }) =>
  `<p>${escapeText(rule)} <span class="place">${sentence === undefined ? '' : `${escapeText(sentence)} `}${linkTo(link)}</span></p>`;

/** @param {ReturnType<typeof failuresOf<Result>>[number]} kind */
function failedSection({ title, results, groups }) {
  const parts = groups.map((group) => {
    if (group.length === 1) return failedItem(group[0]);
    const [first, ...others] = group;
    const cause = escapeText(first.failure?.cause ?? '');
    return `<div class="reason"><p>${cause}: ${group.length} checks</p>\n${failedItem(first)}\n${collapsed(others.map(failedItem))}</div>`;
  });
  return `<section><h2>${title} <span>${results.length} failed</span></h2>\n${parts.join('\n')}\n</section>`;
}

/** @param {string[]} items */
const collapsed = (items) =>
  `<details><summary>${items.length} ${items.length === 1 ? 'check' : 'checks'}</summary>\n${items.join('\n')}\n</details>`;

/** @param {Result} result */
function failedItem(result) {
  const { expected = '', got = '', curl } = result.failure ?? {};
  const shown =
    curl === undefined
      ? ''
      : `<details><summary>Show it with curl</summary><pre>${escapeText(curl)}</pre></details>`;
  return `<article class="failed ${result.requirement.toLowerCase()}">${heading(result)}${ruleOf(result)}<dl><dt>Expected</dt><dd>${escapeText(expected)}</dd><dt>Got</dt><dd>${escapeText(got)}</dd></dl>${shown}</article>`;
}

/** The checks below each reason. @param {Result[]} results */
function notJudgedSection(results) {
  if (results.length === 0) return '';
  const reasons = [...new Set(results.map(({ reason = '' }) => reason))];
  const parts = reasons.map((reason) => {
    const items = results.filter((result) => (result.reason ?? '') === reason).map(plainItem);
    const shown = items.length <= 3 ? items.join('\n') : collapsed(items);
    return `<div class="reason"><p>${escapeText(capital(reason))}</p>\n${shown}</div>`;
  });
  return `<section><h2>Not judged <span>${results.length}</span></h2>\n${parts.join('\n')}\n</section>`;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Result} result */
const plainItem = (result) => `<article>${heading(result)}${ruleOf(result)}</article>`;

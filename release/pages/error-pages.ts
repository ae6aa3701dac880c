import { errorExample } from '../../src/http/examples.ts';
import type { ProblemKind } from '../../src/http/problems/problem-kind.ts';
import { PROBLEM_TYPE } from '../../src/http/schemas/problem.ts';
import type { Listener } from '../../src/http/telemetry/http-metrics.ts';
import { escaped } from '../../src/staff/http/html-page.ts';
import { UNAVAILABLE, type UnavailableReason } from '../../values/unavailable.ts';
import { codeBlock, documentPage, headingHtml, type PageGroup, tableHtml } from './document-page.ts';

export const errorAddress = ({ code }: Pick<ProblemKind, 'code'>): string => `/errors/${code}`;

function pagesOf(kinds: readonly ProblemKind[]): PageGroup[] {
  const byStatus = Map.groupBy(
    kinds.toSorted((left, right) => left.status - right.status),
    ({ status }) => status,
  );
  return [...byStatus].map(([status, ofStatus]) => ({
    title: `HTTP ${status}`,
    links: ofStatus.map((kind) => ({ address: errorAddress(kind), label: kind.code })),
  }));
}

function errorPage(listener: Listener, kind: ProblemKind, pages: readonly PageGroup[]): string {
  const { code, status, title, cause, solution } = kind;
  return documentPage({
    listener,
    address: errorAddress(kind),
    title: code,
    pages,
    body: `<h1>${escaped(title)}</h1>
<p>HTTP ${status}, code <code>${code}</code></p>
<dl>
<dt>Cause</dt><dd>${escaped(cause)}</dd>
<dt>Solution</dt><dd>${escaped(solution)}</dd>
</dl>
${kind.code === UNAVAILABLE_CODE ? reasonsSection(listener) : ''}${exampleSection(kind)}`,
  });
}

const UNAVAILABLE_CODE = 'unavailable';

export const REASONS = Object.keys(UNAVAILABLE) as UnavailableReason[];

export function reasonText(listener: Listener, reason: UnavailableReason): string {
  const { detail, cause } = UNAVAILABLE[reason];
  return listener === 'operator' ? `${detail} Cause: ${cause}.` : detail;
}

const reasonsSection = (listener: Listener): string =>
  `${headingHtml(2, 'reasons', 'Reasons')}<p>The service logs the reason for each refusal.${listener === 'public' ? '' : toGuide('reasons-of-a-503', 'What to do about each')}</p>
${tableHtml(
  ['Reason', 'Meaning'],
  REASONS.map((reason) => [
    `<a href="/errors/${reason}"><code>${reason}</code></a>`,
    withCode(reasonText(listener, reason)),
  ]),
)}`;

const ASK_OPERATOR =
  ' If that does not help, give the <code>requestId</code> to the operator of the service.';

const toGuide = (anchor: string, words: string) =>
  ` <a href="/guides/troubleshooting#${anchor}">${words}</a>.`;

const withCode = (text: string) => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

function reasonPage(listener: Listener, reason: UnavailableReason, pages: readonly PageGroup[]): string {
  const { detail, cause } = UNAVAILABLE[reason];
  const solution = listener === 'public' ? ASK_OPERATOR : toGuide(reason, 'What to do about this one');
  return documentPage({
    listener,
    address: `/errors/${reason}`,
    title: reason,
    pages,
    body: `<h1>${escaped(detail)}</h1>
<p>HTTP 503, code <a href="/errors/${UNAVAILABLE_CODE}"><code>${UNAVAILABLE_CODE}</code></a>, reason <code>${reason}</code></p>
${listener === 'public' ? '' : `<p>Cause: ${withCode(cause)}.</p>\n`}<p>Send the request again after the time in <code>Retry-After</code>.${solution}</p>`,
  });
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

function exampleSection(kind: ProblemKind): string {
  const { given, request, headers, response } = errorExample(kind);
  const { method, target, body } = request;
  const requestLines = [`${method} ${target}`, ...headerLines(request.headers)];
  if (body !== undefined) requestLines.push('', body);
  const responseLines = [
    `HTTP ${response.status}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    ...headerLines(headers),
    '',
    JSON.stringify(response, null, 2),
  ];
  return `<h2>Example</h2>
${given === undefined ? '' : `<p>${escaped(given)}</p>\n`}${codeBlock(requestLines.join('\n'))}
<p>Response:</p>
${codeBlock(responseLines.join('\n'))}`;
}

function indexPage(listener: Listener, kinds: readonly ProblemKind[], pages: readonly PageGroup[]): string {
  const byStatus = kinds.toSorted((left, right) => left.status - right.status);
  const rows = byStatus.map(({ code, status, title }) => [
    String(status),
    `<a href="/errors/${code}"><code>${code}</code></a><br>${escaped(title)}`,
  ]);
  return documentPage({
    listener,
    address: '/errors',
    title: 'Errors',
    pages,
    body: `<h1>Errors</h1>\n${tableHtml(['HTTP', 'Code and meaning'], rows)}`,
  });
}

export function errorPages(listener: Listener, kinds: readonly ProblemKind[]): Record<string, string> {
  const pages = pagesOf(kinds);
  return Object.fromEntries([
    ['/errors', indexPage(listener, kinds, pages)],
    ...kinds.map((kind) => [errorAddress(kind), errorPage(listener, kind, pages)]),
    ...REASONS.map((reason) => [errorAddress({ code: reason }), reasonPage(listener, reason, pages)]),
  ]);
}

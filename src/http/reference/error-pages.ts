import type { FastifyInstance } from 'fastify';
import { checkPath, type PathParameter } from '../operations/path-parameter.ts';
import type { ProblemKind } from '../problems/problem-kind.ts';
import { PROBLEM_TYPE } from '../schemas/problem.ts';
import { Type } from '../schemas/type.ts';
import { escaped, htmlPage, sendHtml } from './html-page.ts';

function errorPage(kind: ProblemKind): string {
  const { code, status, title, cause, solution } = kind;
  return htmlPage(
    code,
    `<h1>${escaped(title)}</h1>
<p>HTTP ${status}, code <code>${code}</code></p>
<dl>
<dt>Cause</dt><dd>${escaped(cause)}</dd>
<dt>Solution</dt><dd>${escaped(solution)}</dd>
</dl>
${exampleSection(kind)}
<p><a href="/errors">All errors</a> · <a href="/docs">Reference</a></p>`,
  );
}

/** The length up to which a value is shown whole. Of a longer one, the page shows the beginning and the length. */
const SHOWN_CHARACTERS = 400;
const shown = (text: string) =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, 60)}... (${text.length} characters)` : text;

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${shown(value)}`);

function exampleSection(kind: ProblemKind): string {
  const { given, request, headers, response } = kind.example(kind);
  const { method, target, body } = request;
  const requestLines = [`${method} ${shown(target)}`, ...headerLines(request.headers)];
  if (body !== undefined) requestLines.push('', shown(body));
  const responseLines = [
    `HTTP ${response.status}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    ...headerLines(headers),
    '',
    JSON.stringify(response, null, 2),
  ];
  return `<h2>Example</h2>
${given === undefined ? '' : `<p>${escaped(given)}</p>\n`}<pre><code>${escaped(requestLines.join('\n'))}</code></pre>
<p>Response:</p>
<pre><code>${escaped(responseLines.join('\n'))}</code></pre>`;
}

function indexPage(kinds: readonly ProblemKind[]): string {
  const byStatus = kinds.toSorted((one, other) => one.status - other.status);
  const rows = byStatus.map(
    ({ code, status, title }) =>
      `<tr><td>${status}</td><td><a href="/errors/${code}"><code>${code}</code></a></td><td>${escaped(title)}</td></tr>`,
  );
  return htmlPage(
    'Errors',
    `<h1>Errors</h1>
<table>
<thead><tr><th scope="col">HTTP</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p><a href="/docs">Reference</a></p>`,
  );
}

/** A page for each kind of error, which the type of a problem links to, and a list of them. */
export function errorPageRoutes(app: FastifyInstance, kinds: readonly ProblemKind[]): void {
  const byCode = new Map(kinds.map((kind) => [kind.code, kind]));
  const code: PathParameter = {
    schema: Type.String(),
    isValid: (value) => byCode.has(value),
    absent: 'No error has this code. All codes are at /errors.',
  };

  app.get('/errors', {
    schema: { hide: true },
    handler: (_request, reply) => sendHtml(reply, indexPage(kinds)),
  });

  app.get<{ Params: { code: string } }>('/errors/:code', {
    schema: { hide: true },
    preValidation: checkPath({ code }),
    handler: ({ params }, reply) => sendHtml(reply, errorPage(byCode.get(params.code) as ProblemKind)),
  });
}

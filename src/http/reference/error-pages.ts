import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { checkPath, type PathParameter } from '../operations/path-parameter.ts';
import type { ProblemKind } from '../problems/problem-kind.ts';
import { Type } from '../schemas/type.ts';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
a { color: light-dark(#0b57d0, #a8c7fa); }
body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
code { font-family: ui-monospace, monospace; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0; }
h2 { font-size: 1.125rem; margin: 2rem 0 0; }
pre { margin: 0.5rem 0; padding: 0.75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 0.375rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.875rem; }
td, th { text-align: left; padding: 0.25rem 1rem 0.25rem 0; vertical-align: top; }
`;
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function errorPage(kind: ProblemKind): string {
  const { code, status, title, cause, solution } = kind;
  return page(
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

/** Of a longer value, the page shows the beginning and the length. */
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
    'Content-Type: application/problem+json',
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
  return page(
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

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .send(html);
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

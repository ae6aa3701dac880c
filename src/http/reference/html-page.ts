import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
a { color: light-dark(#0b57d0, #a8c7fa); }
body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; font-size: 0.875em; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0; }
h3 { font-size: 1.0625rem; margin: 2rem 0 0; }
pre { margin: 0.5rem 0; padding: 0.75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 0.375rem; white-space: pre-wrap; }
pre code { font-size: 0.875rem; }
table { border-collapse: collapse; }
td, th { text-align: left; padding: 0.25rem 1rem 0.25rem 0; vertical-align: top; }
th { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
.wide { overflow-x: auto; overflow-wrap: normal; }
`;
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A page of text, without scripts. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Sends a page of htmlPage. */
export const sendHtml = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .send(html);

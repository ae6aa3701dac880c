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
input, button { font: inherit; padding: 0.375rem 0.625rem; border: 1px solid color-mix(in srgb, currentColor 45%, transparent); border-radius: 0.375rem; }
button { cursor: pointer; background: light-dark(#0b57d0, #a8c7fa); color: light-dark(#fff, #062e6f); border-color: transparent; }
button.quiet { background: none; color: inherit; border-color: color-mix(in srgb, currentColor 45%, transparent); }
:focus-visible { outline: 2px solid light-dark(#0b57d0, #a8c7fa); outline-offset: 2px; }
fieldset { margin: 1.5rem 0; padding: 0; border: 0; }
legend, .name { display: block; padding: 0; font-weight: 600; margin: 0 0 0.25rem; }
.choice { display: flex; gap: 0.625rem; align-items: baseline; padding: 0.375rem 0; }
.row { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
.row > .grows { flex: 1 1 14rem; min-width: 0; }
.grows input { box-sizing: border-box; width: 100%; }
.bar, .bar .row { align-items: center; }
.bar { justify-content: space-between; padding-bottom: 0.75rem; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
.bar p { margin: 0; }
.fault { padding: 0.75rem 1rem; border-left: 4px solid light-dark(#b3261e, #f2b8b5); background: color-mix(in srgb, currentColor 6%, transparent); }
body:has(.sessions) { max-width: 80rem; }
.sessions td, .sessions th { white-space: nowrap; }
.choice .quieter { margin-left: auto; text-align: right; }
.sessions td:nth-child(-n + 3) { white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
.quieter { opacity: 0.8; font-size: 0.9375rem; }
td, th { text-align: left; padding: 0.25rem 1rem 0.25rem 0; vertical-align: top; }
th { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
.wide { overflow-x: auto; overflow-wrap: normal; }
`;
/** Shows times in the time zone of the browser. Without scripts, they are in UTC and say so. */
const SCRIPT = `
const { lang } = document.documentElement;
const locale = navigator.languages.find((tag) => tag.split('-')[0] === lang) ?? lang;
const time = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' };
const day = { year: 'numeric', month: '2-digit', day: '2-digit' };
for (const shown of document.querySelectorAll('time'))
  shown.textContent = new Intl.DateTimeFormat(locale, { ...(shown.className === 'day' && day), ...time }).format(new Date(shown.dateTime));
`;
const hashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;
const [STYLE_HASH, SCRIPT_HASH] = [hashOf(STYLE), hashOf(SCRIPT)];
const contentSecurityPolicy = (formTargets: string) =>
  `default-src 'none'; style-src ${STYLE_HASH}; script-src ${SCRIPT_HASH}; base-uri 'none'; form-action ${formTargets}; frame-ancestors 'none'`;

/** A page of text, forms and times. */
export function htmlPage(language: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body>
<main>
${body}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A value of an attribute, in quotes. */
export const attribute = (text: string): string => `"${escaped(text).replaceAll('"', '&quot;')}"`;

/**
 * The headers of a page of htmlPage. `formTargets`: the origins that its forms lead to, as a content security
 * policy has them.
 */
export const htmlHeaders = (formTargets = "'none'") => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(formTargets),
});

/** Sends a page of htmlPage. */
export const sendHtml = (reply: FastifyReply, html: string): FastifyReply =>
  reply.headers(htmlHeaders()).send(html);

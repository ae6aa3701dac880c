import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const STYLE = `
:root { color-scheme: light dark; font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; --surface: light-dark(#fff, #161b22); --soft: light-dark(#525c6b, #a3adba);
  --line: light-dark(#e3e6eb, #2a313b); --edge: light-dark(#858f9d, #6b7684); --link: light-dark(#1a4fc4, #8fb4ff); }
* { box-sizing: border-box; }
a { color: var(--link); text-underline-offset: 0.2em; }
body { margin: 0; background: light-dark(#f5f6f8, #0e1116); color: light-dark(#131a24, #e8ebf0); overflow-wrap: anywhere; }
main { max-width: 52rem; margin: 0 auto; padding: 0 1rem 4rem; }
code { font-family: ui-monospace, monospace; font-size: 0.875em; }
h1 { font-size: 1.5rem; font-weight: 620; line-height: 1.25; letter-spacing: -0.015em; margin: 2rem 0 1rem; }
main > form, .wide, .message { margin: 0 0 1rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
table { border-collapse: collapse; }
input, button { font: inherit; color: inherit; min-height: 2.375rem; padding: 0.25rem 0.75rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--surface); }
input[type="radio"] { min-height: auto; }
button { cursor: pointer; font-weight: 600; background: light-dark(#17202e, #e8ebf0); color: light-dark(#fff, #131a24); border-color: transparent; }
button.quiet { background: none; color: inherit; border-color: var(--edge); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.message { margin-top: 2rem; }
.message > :first-child { margin-top: 0; }
.message > :last-child { margin-bottom: 0; }
fieldset { margin: 0 0 1.5rem; padding: 0; border: 0; }
legend, .name { display: block; padding: 0; font-weight: 600; margin: 0 0 0.25rem; }
.choice { display: flex; flex-wrap: wrap; gap: 0 0.625rem; align-items: baseline; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.choice code { flex: 1; min-width: 10rem; }
.row { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
.row > .grows { flex: 1 1 14rem; min-width: 0; }
.grows input { width: 100%; }
.bar, .bar .row { align-items: center; }
/* The bar's background reaches the edges of the window. */
.bar { justify-content: space-between; padding: 0.5rem 0; background: var(--surface); box-shadow: 0 0 0 100vmax var(--surface), 0 1px 0 100vmax var(--line); clip-path: inset(0 -100vmax -1px); }
.bar p { margin: 0; }
.fault { padding: 0.75rem 1rem; border-left: 4px solid light-dark(#a3241c, #ff9d94); background: light-dark(#fdf0ee, #33150f); }
body:has(.sessions) main { max-width: 80rem; }
.sessions td, .sessions th { white-space: nowrap; }
.choice .quieter { margin-left: auto; text-align: right; }
.sessions td:nth-child(-n + 3) { white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
.quieter { color: var(--soft); font-size: 0.875rem; }
td, th { text-align: left; padding: 0.5rem 1rem 0.5rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 550; }
.wide { overflow-x: auto; overflow-wrap: normal; }
`;
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

export const attribute = (text: string): string => `"${escaped(text).replaceAll('"', '&quot;')}"`;

export const htmlHeaders = (formTargets = "'none'") => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${STYLE_HASH}; script-src ${SCRIPT_HASH}; base-uri 'none'; form-action ${formTargets}; frame-ancestors 'none'`,
});

export const sendHtml = (reply: FastifyReply, html: string): FastifyReply =>
  reply.headers(htmlHeaders()).send(html);

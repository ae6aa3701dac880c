import { hash } from 'node:crypto';
import packageJson from '#package' with { type: 'json' };
import { DOCUMENTS_ICON, DOCUMENTS_SCRIPT } from '../../src/http/documents/document-routes.ts';
import type { Listener } from '../../src/http/telemetry/http-metrics.ts';
import { attribute, escaped } from '../../src/staff/http/html-page.ts';
import { DOCUMENT_STYLE } from './document-style.ts';

export const STYLE_HASH = `sha256-${hash('sha256', DOCUMENT_STYLE, 'base64')}`;

interface PageLink {
  address: string;
  label: string;
}

export interface PageGroup {
  title: string;
  links: readonly PageLink[];
}

interface DocumentPage {
  listener: Listener;
  address: string;
  title: string;
  body: string;
  pages: readonly PageGroup[];
  headings?: readonly { anchor: string; heading: string }[];
  forPrograms?: PageLink;
}

const SECTIONS: readonly PageLink[] = [
  { address: '/guides', label: 'Guides' },
  { address: '/docs', label: 'Reference' },
  { address: '/errors', label: 'Errors' },
];

const HOME: Readonly<Record<Listener, PageLink>> = {
  public: { address: '/', label: 'Transactions' },
  operator: { address: '/guides', label: "Transactions: the operator's interface" },
};

export function documentPage(page: DocumentPage): string {
  const { listener, address, title, body, pages, headings = [], forPrograms } = page;
  const home = HOME[listener];
  const sections = SECTIONS.map((link) =>
    linkTo(link, address.startsWith(link.address) ? 'true' : undefined),
  );
  const others = [...(forPrograms === undefined ? [] : [forPrograms]), ...PROGRAM_LINKS];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)} - Transactions</title><link rel="icon" href="${DOCUMENTS_ICON}" type="image/svg+xml"><style>${DOCUMENT_STYLE}</style><script src="${DOCUMENTS_SCRIPT}" type="module"></script></head>
<body>
<a class="skip" href="#content">To the text</a>
<header><div class="bar"><a class="home" href="${home.address}">${home.label}</a>
<nav aria-label="Service">${sections.join('')}</nav>
<form role="search" hidden><label><span class="unseen">Search all pages</span><input type="search" placeholder="Search" autocomplete="off" aria-keyshortcuts="/"></label><div class="found" hidden></div></form></div></header>
<div class="columns">
<details class="pages"><summary>Pages</summary><nav aria-label="Pages">${pages.map((group) => groupOf(group, address)).join('')}</nav></details>
${headings.length < 2 ? '' : `<details class="here"><summary>On this page</summary><nav aria-label="On this page"><ul>${headings.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escaped(heading)}</a></li>`).join('')}</ul></nav></details>`}
<main id="content">
${body}
</main>
</div>
<footer>Transactions ${packageJson.version}${others.map((link) => ` · ${linkTo(link)}`).join('')}</footer>
</body>
</html>
`;
}

const PROGRAM_LINKS: readonly PageLink[] = [
  { address: '/openapi.json', label: 'OpenAPI' },
  { address: '/llms.txt', label: 'llms.txt' },
];

const linkTo = ({ address, label }: PageLink, current?: string) =>
  `<a href=${attribute(address)}${current === undefined ? '' : ` aria-current="${current}"`}>${escaped(label)}</a>`;

const groupOf = ({ title, links }: PageGroup, address: string) =>
  `<h2>${escaped(title)}</h2><ul>${links
    .map((link) => `<li>${linkTo(link, link.address === address ? 'page' : undefined)}</li>`)
    .join('')}</ul>`;

export const headingHtml = (level: number, anchor: string, html: string): string =>
  `<h${level} id="${anchor}">${html} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${level}>\n`;

/** The tabindex lets the keyboard scroll the block. */
export const codeBlock = (text: string): string => `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;

/** Commands with this label are only for a clone. Pages of a package do not show these commands. */
const CLONE_FORM = 'Clone';

/** Without the script, all forms are shown. The script shows one form at a time, as tabs. */
export const formsHtml = (forms: readonly { label: string; text: string }[]): string =>
  `<div class="forms">${forms
    .map(({ label, text }) => {
      const form = `<div class="form"><p>${escaped(label)}</p>${codeBlock(text)}</div>`;
      return label === CLONE_FORM ? `<!-- clone -->${form}<!-- /clone -->` : form;
    })
    .join('')}</div>`;

/** The cells are HTML. */
export const tableHtml = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="wide" tabindex="0"><table>
<thead><tr>${head.map((title) => `<th scope="col">${title}</th>`).join('')}</tr></thead>
<tbody>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody>
</table></div>`;

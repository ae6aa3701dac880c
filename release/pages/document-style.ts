export const DOCUMENT_STYLE = `
:root { color-scheme: light dark; font: 0.9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; scroll-padding-top: 4.5rem;
  --line: light-dark(#e3e6eb, #2a313b); --edge: light-dark(#b4bbc4, #4e5763); --quiet: light-dark(#525c6b, #a3adba); --link: light-dark(#1a4fc4, #8fb4ff);
  --code: light-dark(#f5f6f8, #1c222b); --back: light-dark(#fff, #161b22); --mark: light-dark(#ffe9a8, #5c4708); }
* { box-sizing: border-box; }
body { margin: 0; background: light-dark(#f5f6f8, #0e1116); color: light-dark(#131a24, #e8ebf0); overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.2em; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 3; background: var(--back); padding: 0.5rem; }
.unseen { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
body > header { position: sticky; top: 0; z-index: 2; background: var(--back); border-bottom: 1px solid var(--line); }
.bar { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: center; max-width: 96rem; min-height: 3.5rem; margin: auto; padding: 0.5rem 1.5rem; font-size: 0.875rem; }
.bar nav { display: flex; gap: 1.25rem; }
.bar nav a { color: var(--quiet); text-decoration: none; padding: 0.25rem 0; }
.bar nav a[aria-current] { color: inherit; font-weight: 600; }
.home { color: inherit; font-size: 0.9375rem; font-weight: 650; text-decoration: none; }
.bar form { position: relative; flex: 1 1 10rem; max-width: 24rem; margin-left: auto; }
input, button, textarea, select { font: inherit; color: inherit; padding: 0.375rem 0.625rem; border: 1px solid var(--edge); border-radius: 6px; background: var(--back); }
.bar input { width: 100%; background: var(--code); }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.found { position: absolute; z-index: 3; right: 0; top: 100%; margin-top: 0.25rem; width: min(34rem, calc(100vw - 2rem)); max-height: 70vh; overflow-y: auto; background: var(--back); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 20%); }
.found a { display: block; padding: 0.5rem 0.875rem; color: inherit; text-decoration: none; border-bottom: 1px solid var(--line); }
.found a:last-child { border: 0; }
.found a:hover, .found a:focus { background: var(--code); }
.found strong { color: var(--link); }
.found span, .found p { display: block; margin: 0; font-size: 0.875rem; color: var(--quiet); }
.found p { padding: 0.625rem 0.875rem; }
.found p :is(a, button) { display: inline; padding: 0; border: 0; color: var(--link); text-decoration: underline; background: none; }
mark { background: var(--mark); color: inherit; }
.columns { display: grid; grid-template-columns: 14rem minmax(0, 54rem) 14rem; gap: 0 2.5rem; max-width: 96rem; margin: auto; padding: 0 1.5rem; justify-content: space-between; }
main { grid-column: 2; grid-row: 1; margin: 1.25rem 0 2.5rem; padding: 1.5rem 2rem 3rem; min-width: 0; border: 1px solid var(--line); border-radius: 8px; background: var(--back); }
.here { grid-column: 3; }
.pages, .here { grid-row: 1; }
.pages, .here { position: sticky; top: 3.5rem; align-self: start; max-height: calc(100vh - 3.5rem); overflow-y: auto; padding: 1.25rem 0; font-size: 0.875rem; }
.pages summary, .here summary { font-weight: 600; cursor: pointer; padding: 0.1875rem 0; }
.pages h2 { margin: 1rem 0 0.25rem; font-size: 0.8125rem; color: var(--quiet); }
.pages ul, .here ul { list-style: none; margin: 0; padding: 0; }
.pages li a, .here li a { display: block; padding: 0.1875rem 0; text-decoration: none; color: inherit; }
.pages li a:hover, .here li a:hover { color: var(--link); text-decoration: underline; }
.pages a[aria-current] { font-weight: 600; color: var(--link); }
h1, h2, h3 { margin: 2.25rem 0 0.5rem; font-size: 1.0625rem; font-weight: 620; letter-spacing: -0.01em; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.25; }
h2 { font-size: 1.3125rem; }
.anchor { text-decoration: none; font-weight: 400; opacity: 0; }
:is(h1, h2, h3, h4):hover .anchor, .anchor:focus { opacity: 1; }
@media (hover: none) { .anchor { opacity: 0.6; } }
code { font-family: ui-monospace, monospace; font-size: 0.875em; }
:is(p, li, td, dd) code { background: var(--code); border-radius: 0.25rem; padding: 0.0625rem 0.25rem; }
pre, .code { margin: 0.75rem 0; background: var(--code); border: 1px solid var(--line); border-radius: 8px; }
pre { padding: 0.75rem 1rem; overflow-x: auto; overflow-wrap: normal; }
.code { display: flex; align-items: start; gap: 0.25rem; }
.code pre { flex: 1; min-width: 0; margin: 0; border: 0; }
pre code { font-size: 0.8438rem; padding: 0; }
.code button { margin: 0.5rem 0.5rem 0 0; padding: 0.125rem 0.5rem; font-size: 0.8125rem; }
.form > p, .choices { margin: 0.75rem 0 -0.375rem; font-size: 0.875rem; font-weight: 600; }
.choices { display: flex; flex-wrap: wrap; gap: 0.375rem; }
.choices button { padding: 0.125rem 0.625rem; font-size: 0.875rem; }
.choices button[aria-pressed="true"] { background: var(--code); border-color: currentcolor; font-weight: 600; }
.wide { overflow-x: auto; overflow-wrap: break-word; margin: 0.75rem 0; }
table { border-collapse: collapse; }
td, th { text-align: left; padding: 0.375rem 1rem 0.375rem 0; vertical-align: top; border-bottom: 1px solid var(--line); min-width: 5rem; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; }
.columns:has(.beside) { grid-template-columns: 14rem minmax(0, 1fr); }
.beside { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 28rem); gap: 0 2.5rem; align-items: start; }
.beside > * { grid-row: 1; min-width: 0; }
.examples { grid-column: 2; position: sticky; top: 4.5rem; max-height: calc(100vh - 5.5rem); overflow-y: auto; }
.method { display: inline-block; min-width: 4.25rem; font: 600 0.8125rem/1.5 ui-monospace, monospace; color: var(--quiet); }
.quiet { color: var(--quiet); font-size: 0.9375rem; }
main details { margin: 0.5rem 0; border: 1px solid var(--line); border-radius: 8px; padding: 0.5rem 0.875rem; }
main summary { cursor: pointer; }
.trial summary { font-weight: 600; color: var(--link); }
.try label { display: grid; grid-template-columns: minmax(0, 12rem) minmax(0, 1fr); gap: 0.5rem; align-items: center; margin: 0.5rem 0; }
.try textarea { font: 0.8438rem/1.5 ui-monospace, monospace; min-height: 9rem; }
footer { max-width: 96rem; margin: auto; padding: 0 1.5rem 2.5rem; color: var(--quiet); font-size: 0.875rem; }
@media (max-width: 74rem) {
  .beside { display: block; }
  .examples { position: static; max-height: none; }
  .examples pre { max-height: 20rem; overflow-y: auto; }
  .columns { grid-template-columns: 13rem minmax(0, 1fr); }
  .here { grid-column: 2; position: static; max-height: none; padding: 1rem 0 0; }
  .pages { grid-row: 1 / span 2; }
  main { grid-row: 2; }
}
@media (max-width: 52rem) {
  .columns, .columns:has(.beside) { display: block; }
  body > header { position: static; }
  .pages, .here { position: static; max-height: none; padding: 0.75rem 0 0; }
  .bar form { flex-basis: 100%; max-width: none; }
  .try label { grid-template-columns: 1fr; gap: 0.125rem; }
  main { margin: 0.75rem -0.5rem; padding: 1rem 1rem 2rem; }
  h1 { font-size: 1.5rem; }
  .code { flex-direction: column; align-items: stretch; gap: 0; }
  .code button { align-self: end; margin: 0 0.5rem 0.5rem; }
}
@media print { body > header, .pages, .here, footer, .anchor, .code button { display: none; } .columns { display: block; } main { border: 0; } }
`;

export const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1c2024; --quiet: #5b646d; --line: #dfe3e7; --bad: #b42318; --good: #17693a; --some: #8a5a00; --block: #f5f6f8; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171a; --text: #e6e9ec; --quiet: #a2abb4; --line: #31373d; --bad: #ff8a7e; --good: #6fd39a; --some: #f0b95a; --block: #1e2327; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem; }
h1, h2, h3, p, dl, dd { margin: 0; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.125rem; margin: 2.5rem 0 .5rem; }
h2 span { color: var(--quiet); font-weight: normal; }
h3 { font-size: 1rem; display: flex; gap: .75rem; justify-content: space-between; align-items: baseline; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
h3 code { font-weight: 600; overflow-wrap: anywhere; }
.url { color: var(--quiet); overflow-wrap: anywhere; }
.verdict { font-size: 1.25rem; font-weight: 600; margin: 1.5rem 0 1rem; }
.bad { color: var(--bad); }
.good { color: var(--good); }
.some { color: var(--some); }
.sums { display: flex; gap: 2rem; }
.sums div { display: flex; flex-direction: column-reverse; }
.sums dt { color: var(--quiet); font-size: .875rem; }
.sums dd { font-size: 1.75rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
article { border-top: 1px solid var(--line); padding: .75rem 0; }
article p { color: var(--quiet); font-size: .9375rem; }
article.failed p { color: var(--text); }
.requirement { color: var(--quiet); font-size: .75rem; font-weight: 600; }
.failed.must .requirement { color: var(--bad); }
.failed.should .level, .failed.may .requirement { color: var(--some); }
.place, .place a { color: var(--quiet); font-size: .8125rem; }
.place::before { content: "("; } .place::after { content: ")"; }
.reason { border-top: 1px solid var(--line); padding: .75rem 0; }
.reason > p { font-weight: 600; }
.reason article { padding: .5rem 0; border: 0; }
.reason summary { margin-top: .25rem; }
article dl { display: grid; grid-template-columns: 5.5rem 1fr; gap: .25rem .5rem; margin: .5rem 0; font-size: .9375rem; }
article dt { color: var(--quiet); }
article dd { overflow-wrap: anywhere; min-width: 0; }
summary { cursor: pointer; color: var(--quiet); font-size: .875rem; }
pre { margin: .5rem 0 0; padding: .75rem; background: var(--block); white-space: pre-wrap; overflow-wrap: anywhere; }
.stopped { color: var(--bad); }
footer { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: .75rem; color: var(--quiet); font-size: .8125rem; }
@media (max-width: 30rem) { article dl { grid-template-columns: 1fr; } article dd { margin-bottom: .375rem; } .sums { gap: 1.25rem; } }
`;

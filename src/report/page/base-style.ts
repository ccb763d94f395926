/** The style of all pages, light or dark as the reader's system. */
export const BASE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566171; --paper: #f6f7f9; --card: #fff; --line: #dde2e9; --focus: #2563eb; --accent: #1d5fd1;
  --loaded: #1a7f4b; --given: #1d5fd1; --cut: #b06700; --left-out: #c5303e; --shadowed: #c5303e; --skipped: #7b8694; --none: #aab3bf;
  --error: #c5303e; --warning: #b06700; --note: #566171; --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa5b5; --paper: #12161c; --card: #1a2029; --line: #2d3643; --focus: #7aa7ff; --accent: #7aa7ff;
  --loaded: #3fbf7f; --given: #7aa7ff; --cut: #f0a63a; --left-out: #f2707b; --shadowed: #f2707b; --skipped: #8b97a8; --none: #5a6576;
  --error: #f2707b; --warning: #f0a63a; --note: #9aa5b5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
noscript, .banner { display: block; padding: .6rem 1.5rem; color: var(--cut); }
header { display: flex; flex-wrap: wrap; gap: .8rem 2rem; align-items: center; justify-content: space-between; padding: 1rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--card); }
h1, h2, h3 { margin: 0; overflow-wrap: anywhere; line-height: 1.3; }
h1 { font-size: 1.15rem; } h2 { font-size: 1.1rem; } h3 { font-size: .95rem; }
code, pre, .path { font-family: var(--mono); font-size: .88em; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-weight: normal; overflow-wrap: anywhere; }
button { font: inherit; color: inherit; cursor: pointer; }
.plain { padding: 0 .2rem; border: 0; background: none; color: var(--accent); text-decoration: underline; text-underline-offset: 2px; text-align: left; overflow-wrap: anywhere; }
.command { display: inline-flex; gap: .5rem; align-items: baseline; }
.command code { padding: .1rem .45rem; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
.command button { font-size: .8rem; }
.switch { display: inline-flex; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--paper); }
.switch button { padding: .35rem .9rem; border: 0; background: none; }
.switch button[aria-pressed="true"] { background: var(--ink); color: var(--paper); }
.switch button:focus-visible { outline-offset: -3px; }
.dot { display: inline-block; flex: none; width: .78em; height: .78em; border: 2px solid var(--tint); border-radius: 3px; }
.loaded { --tint: var(--loaded); } .given { --tint: var(--given); } .cut { --tint: var(--cut); } .left-out { --tint: var(--left-out); }
.shadowed { --tint: var(--shadowed); } .skipped, .replaced { --tint: var(--skipped); } .none { --tint: var(--none); }
.error { --tint: var(--error); } .warning { --tint: var(--warning); } .note { --tint: var(--note); }
.dot.loaded, .dot.given, .dot.error, .dot.warning, .dot.note { background: var(--tint); }
.dot.cut { background: linear-gradient(90deg, var(--tint) 50%, transparent 50%); }
.dot.none { width: .5em; height: 0; border-width: 1px; border-radius: 0; }
.bar { display: flex; height: 12px; margin: .45rem 0 .3rem; border-radius: 6px; overflow: hidden; background: var(--line); }
.bar i { display: block; min-width: 2px; background: var(--tint); border-right: 1px solid var(--card); }
.card { padding: .75rem .9rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { padding: .4rem .7rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: .85rem; color: var(--soft); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
[hidden] { display: none !important; }
`;

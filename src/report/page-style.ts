/** The page's style, light or dark as the reader's system. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #f7f8fa; --card: #fff; --line: #dde2e9; --focus: #2563eb;
  --loaded: #1a7f4b; --cut: #b86e00; --left-out: #c5303e; --shadowed: #6d4fc4; --skipped: #7b8694; --none: #c9d0d9; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #98a3b3; --paper: #12161c; --card: #1a2029; --line: #2d3643; --focus: #7aa7ff;
  --loaded: #3fbf7f; --cut: #f0a63a; --left-out: #f2707b; --shadowed: #a78bfa; --skipped: #8b97a8; --none: #3b4554; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
noscript, .note { display: block; padding: .6rem 1.5rem; color: var(--cut); }
header { padding: 1.2rem 1.5rem .9rem; border-bottom: 1px solid var(--line); background: var(--card); }
h1 { margin: 0; font-size: 1.25rem; overflow-wrap: anywhere; }
h2 { margin: 0 0 .2rem; font-size: 1.1rem; overflow-wrap: anywhere; }
h3 { margin: 0; font-size: .95rem; }
code, .path, .tree button { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; }
.soft { color: var(--soft); font-weight: normal; overflow-wrap: anywhere; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin: .6rem 0 0; padding: 0; list-style: none; font-size: .85rem; }
.dot { display: inline-block; width: .72em; height: .72em; border-radius: 3px; background: var(--none); }
.loaded { --tint: var(--loaded); } .cut { --tint: var(--cut); } .left-out { --tint: var(--left-out); }
.shadowed { --tint: var(--shadowed); } .skipped { --tint: var(--skipped); } .none { --tint: var(--none); }
.dot.loaded, .dot.cut, .dot.left-out, .dot.shadowed, .dot.skipped { background: var(--tint); }
.columns { display: grid; grid-template-columns: minmax(15rem, 22rem) 1fr; min-height: 70vh; }
nav { padding: 1rem .7rem 2rem 1rem; border-right: 1px solid var(--line); overflow: auto; }
.tree, .tree ul { margin: 0; padding: 0; list-style: none; }
.tree ul { padding-left: .9rem; border-left: 1px solid var(--line); margin-left: .55rem; }
.tree button { display: flex; gap: .5rem; align-items: center; width: 100%; padding: .2rem .45rem; border: 0; border-radius: 6px; background: none; color: inherit; text-align: left; cursor: pointer; overflow-wrap: anywhere; }
.tree button:hover { background: var(--line); }
.tree button[aria-current] { background: var(--ink); color: var(--paper); }
.tree .between { padding: .2rem .45rem; color: var(--soft); font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; }
.order { margin: 0 .45rem .5rem; font-size: .8rem; text-align: right; }
.dots { display: inline-flex; gap: 3px; flex: none; margin-left: auto; }
section { padding: 1.2rem 1.5rem 3rem; min-width: 0; }
.budgets { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: .8rem; margin: 1rem 0 1.4rem; }
.card { padding: .75rem .9rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.bar { display: flex; height: 14px; margin: .5rem 0 .35rem; border-radius: 7px; overflow: hidden; background: var(--line); }
.bar i { display: block; min-width: 2px; background: var(--tint); border-right: 1px solid var(--card); }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
th, td { padding: .4rem .7rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: .85rem; }
tbody th { font-weight: 600; background: color-mix(in srgb, var(--line) 35%, transparent); }
td.path { min-width: 9rem; overflow-wrap: anywhere; }
.chip { display: inline-flex; gap: .4rem; align-items: baseline; padding: .05rem .55rem; border: 1px solid color-mix(in srgb, var(--tint) 55%, transparent); border-radius: 99px; background: color-mix(in srgb, var(--tint) 12%, transparent); color: var(--ink); font: inherit; font-size: .85rem; cursor: pointer; white-space: nowrap; }
.chip .dot { align-self: center; }
.why { margin: .35rem 0 .1rem; padding-left: .6rem; border-left: 3px solid var(--tint); font-size: .85rem; overflow-wrap: anywhere; }
.why[hidden] { display: none; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
@media (max-width: 52rem) { .columns { grid-template-columns: 1fr; } nav { border-right: 0; border-bottom: 1px solid var(--line); } section { overflow-x: auto; } }
`;

/** The style of the page of `explain`, besides that of all pages. */
export const EXPLAIN_STYLE = `
.verdicts { padding: 1.1rem 1.5rem .2rem; }
.verdicts p { max-width: 62rem; margin: 0 0 .45rem; padding-left: .8rem; border-left: 4px solid var(--tint); font-size: 1.05rem; }
.verdicts p:first-of-type { font-size: 1.3rem; line-height: 1.35; font-weight: 600; }
.problems { padding: .6rem 1.5rem 1.2rem; border-bottom: 1px solid var(--line); }
.problems h2 { font-size: .95rem; color: var(--soft); font-weight: 600; }
.problems > ul { display: grid; gap: .45rem; max-width: 70rem; margin: .5rem 0 0; padding: 0; list-style: none; }
.problems .card { padding: .55rem .8rem; border-left: 4px solid var(--tint); }
.problems .solved { --tint: var(--loaded); color: var(--soft); }
.problem { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; justify-content: space-between; align-items: baseline; }
.problems details > ul { margin: .35rem 0 0; padding-left: 1.1rem; }
summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
.columns { display: grid; grid-template-columns: minmax(20rem, 30rem) minmax(0, 1fr); }
nav { min-width: 0; border-right: 1px solid var(--line); }
.tools { display: flex; flex-wrap: wrap; gap: .3rem .9rem; align-items: center; padding: .8rem 1rem .5rem; font-size: .88rem; }
.tools input[type="search"] { flex: 1 1 9rem; min-width: 0; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: inherit; font: inherit; }
.tools label { display: inline-flex; gap: .35rem; align-items: center; }
.scroll { max-height: 78vh; overflow: auto; padding: 0 .6rem 1rem; }
.row { display: grid; grid-template-columns: minmax(0, 1fr) repeat(var(--clients), 5.6rem); align-items: center; }
.names { position: sticky; top: 0; z-index: 1; padding: .25rem .4rem; background: var(--paper); color: var(--soft); font-size: .8rem; text-align: center; border-bottom: 1px solid var(--line); }
.names span:first-child { text-align: left; }
.tree .row { content-visibility: auto; contain-intrinsic-size: auto 1.75rem; min-height: 1.75rem; padding: .1rem .4rem; border-radius: 6px; cursor: pointer; text-align: center; }
.tree .row:hover { background: var(--line); }
.tree .row[aria-selected="true"] { background: var(--ink); color: var(--paper); }
.tree .row[aria-selected="true"] .dot { box-shadow: 0 0 0 2px var(--card); background-color: var(--card); border-radius: 3px; }
.tree .row[aria-selected="true"] .dot.loaded, .tree .row[aria-selected="true"] .dot.given { background: var(--tint); }
.tree .name { display: flex; gap: .25rem; min-width: 0; text-align: left; font-family: var(--mono); font-size: .88em; overflow-wrap: anywhere; }
.tree .between .name { color: var(--soft); }
.toggle { flex: none; width: 1.1em; text-align: center; color: var(--soft); }
.nothing { padding: .6rem 1rem; }
section.detail { min-width: 0; padding: 1rem 1.5rem 3rem; scroll-margin-top: .5rem; }
.crumbs { margin-bottom: .15rem; }
.budgets { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem; margin: .9rem 0 1.2rem; }
tbody th { font-weight: 600; background: color-mix(in srgb, var(--line) 35%, transparent); }
td.state { width: 34%; }
.chip { display: inline-flex; gap: .4rem; align-items: baseline; font-size: .92rem; }
.why { margin-top: .1rem; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
pre.text { max-height: 26rem; overflow: auto; margin: 0; padding: .7rem .9rem; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; }
.skills { margin-top: 1.6rem; } .skills h3 { margin-bottom: .5rem; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 1.2rem 0 0; padding: 0; list-style: none; color: var(--soft); font-size: .85rem; }
.legend li { display: inline-flex; gap: .4rem; align-items: center; }
@media (max-width: 56rem) {
  header, .verdicts, .problems, section.detail { padding-left: 1rem; padding-right: 1rem; }
  .columns { grid-template-columns: minmax(0, 1fr); }
  nav { border-right: 0; border-bottom: 1px solid var(--line); }
  .scroll { max-height: 50vh; }
  .verdicts p:first-of-type { font-size: 1.12rem; }
}
@media (max-width: 40rem) {
  .row { grid-template-columns: minmax(0, 1fr) repeat(var(--clients), 4.6rem); }
  .switch { width: 100%; } .switch button { flex: 1; padding: .45rem .4rem; }
  table, tbody, tr, td, tbody th { display: block; width: auto; } thead { display: none; }
  td { border-top: 0; padding: .25rem .7rem; } tr { border-top: 1px solid var(--line); padding: .2rem 0; } td.state { width: auto; }
  td[data-client]::before { content: attr(data-client) ": "; color: var(--soft); font-size: .85rem; }
}
`;

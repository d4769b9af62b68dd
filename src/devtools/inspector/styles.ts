/** Styles of the inspector, for a constructed style sheet: strict policies refuse style attributes and style elements. */
export const styles = `
:host {
  --paper: #ffffff; --sheet: #f5f6f8; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --more: #1f6feb; --less: #cf222e; --track: #e6e9ee; --accent: #0a58ca; --bad: #b3261e;
  color-scheme: light dark; display: block; container-type: inline-size; color: var(--ink); background: var(--paper);
  border: 1px solid var(--line); border-radius: 8px; font: 14px/1.45 system-ui, sans-serif; overflow-wrap: anywhere;
}
@media (prefers-color-scheme: dark) {
  :host {
    --paper: #14181d; --sheet: #1c2128; --ink: #e6edf3; --soft: #a3adb8; --line: #3a424c;
    --more: #58a6ff; --less: #ff7b72; --track: #2a313a; --accent: #79b8ff; --bad: #ff8f85;
  }
}
:host([hidden]) { display: none; }
*, *::before { box-sizing: border-box; }
h2, h3, p, dl, dd, ol, figure { margin: 0; padding: 0; }
h2 { font-size: 15px; }
h3 { font-size: 14px; }
header { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; padding: 10px 12px; }
header p { color: var(--soft); }
details:not(.part) { padding-block-start: 10px; }
details.part { border-top: 1px solid var(--line); }
details.part > summary { padding: 8px 12px; font-weight: 600; cursor: pointer; }
details.part > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; padding: 0 12px 12px; min-width: 0; }
form { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; }
label { display: grid; gap: 2px; color: var(--soft); font-size: 13px; }
label.wide { flex: 1 1 12rem; min-width: 0; }
input, button { min-height: 32px; padding: 4px 10px; border: 1px solid var(--line); border-radius: 6px; font: inherit; color: var(--ink); background: var(--paper); }
input { min-width: 0; inline-size: 100%; }
input[type='number'] { inline-size: 5.5rem; }
button { background: var(--sheet); cursor: pointer; }
button:hover { border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
ol.hits { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; list-style: none; }
ol.hits > li { display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; padding: 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--sheet); min-width: 0; }
.row { display: flex; gap: 12px; justify-content: space-between; align-items: baseline; }
.facts, .caption, figcaption, caption { color: var(--soft); font-size: 13px; }
caption { text-align: start; padding-block-end: 4px; }
.scroller { overflow-x: auto; }
table { border-collapse: collapse; inline-size: 100%; font-size: 13px; }
th, td { padding: 3px 10px 3px 0; text-align: start; vertical-align: baseline; border-block-end: 1px solid var(--line); overflow-wrap: normal; }
.scroller td { white-space: nowrap; max-inline-size: 24rem; overflow: hidden; text-overflow: ellipsis; }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.waterfall th, .waterfall td { border: 0; padding-block: 2px; font-weight: 400; }
.waterfall { table-layout: fixed; }
.waterfall col.signal { inline-size: 7rem; } .waterfall col.bar { inline-size: 45%; } .waterfall col.amount { inline-size: 6rem; }
.waterfall .reason { color: var(--soft); }
dl.bars { grid-template-columns: 8rem minmax(0, 1fr) 3rem; align-items: center; }
.bars dd { margin: 0; }
svg { display: block; inline-size: 100%; block-size: 10px; }
svg.histogram { block-size: 64px; }
.ticks { display: flex; color: var(--soft); font-size: 11px; }
.ticks span { flex: 1; text-align: center; }
.track { fill: var(--track); } .more { fill: var(--more); } .less { fill: var(--less); }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: 2px 12px; font-size: 13px; }
dt { color: var(--soft); }
mark { background: color-mix(in srgb, var(--more) 25%, transparent); color: inherit; }
.error { color: var(--bad); }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@container (max-width: 30rem) {
  .waterfall, .waterfall tbody { display: block; }
  .waterfall tr { display: grid; grid-template-columns: 1fr auto; gap: 0 8px; padding-block: 3px; }
  .waterfall th { grid-area: 1 / 1; padding: 0; } .waterfall .number { grid-area: 1 / 2; padding: 0; }
  .waterfall .bar { grid-area: 2 / 1 / auto / span 2; padding: 0; }
  .waterfall .reason { grid-area: 3 / 1 / auto / span 2; padding: 0; font-size: 12px; }
}
@media (forced-colors: active) { .more, .less { fill: CanvasText; } .track { fill: Canvas; stroke: CanvasText; } }
`

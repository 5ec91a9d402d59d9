/** Colours of series in drawings of data, for light and dark, after Okabe and Ito; neighbours are apart for every kind of colour vision. */
const COLOURS = [
  ...['#0072b2, #56b4e9', '#d55e00, #e69f00', '#009e73, #2fc79c', '#cc79a7, #dd9cc0'],
  ...['#e69f00, #f0e442', '#56b4e9, #5d8fe0', '#444444, #dddddd'],
]

/** The style sheet of a report: light or dark, as the reader has it, and on paper light. */
export const STYLE = `
:root { color-scheme: light dark; --page: light-dark(#ffffff, #1a1d21); --sunken: light-dark(#f7f7f5, #15181b);
  --text: light-dark(#1e2227, #e3e6ea); --muted: light-dark(#5a636d, #9ba5b0); --border: light-dark(#e2e2dd, #2b3037);
  --accent: light-dark(#2458a6, #8fb8f6); --warn: light-dark(#865200, #e8b45e); --bad: light-dark(#b3261e, #f2938c);
  ${COLOURS.map((colour, index) => `--series-${index + 1}: light-dark(${colour});`).join(' ')} }
* { box-sizing: border-box; }
body { max-width: 860px; margin: 0 auto; padding: 32px 20px 64px; color: var(--text); background: var(--page);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1, h2, h3 { line-height: 1.25; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, input:focus-visible + i { outline: 2px solid var(--accent); outline-offset: 2px; }
pre, code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 12.5px; }
pre { margin: 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.cell { margin: 20px 0; }
.code > summary { color: var(--muted); font-size: 12px; cursor: pointer; }
.code > pre, .prose pre { padding: 10px 12px; border: 1px solid var(--border); border-radius: 6px; background: var(--sunken); }
.output { display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr); padding: 10px 0 0 12px; margin-top: 8px;
  border-left: 2px solid var(--border); }
.stale { color: var(--warn); font-size: 13px; margin: 0; }
.error { color: var(--bad); }
[data-level="warn"] { color: var(--warn); }
[data-level="error"] { color: var(--bad); }
.kind, .note, .reading { color: var(--muted); font-size: 12.5px; margin: 0; }
.kind { display: block; }
.title { margin: 0; font-weight: 600; }
.study > * { margin: 0 0 10px; }
figure { margin: 0; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 12px 3px 0; border-bottom: 1px solid var(--border); text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-weight: 500; }
.number { text-align: right; }
.verdicts { padding-left: 18px; font-size: 14px; }
.scroll { overflow-x: auto; }
.legend [data-dash="dash"] { border-radius: 0; } .legend [data-dash="dot"] { border-radius: 50%; } .legend [data-dash="dashdot"] { rotate: 45deg; }
.swatch, .legend i { display: inline-block; width: 10px; height: 10px; margin-right: 6px; border-radius: 3px; background: var(--c); }
.chart > svg { display: block; width: 100%; height: auto; padding: 8px; background: white; touch-action: pan-y; }
figcaption { font-weight: 600; }
.cursor { stroke: var(--muted); stroke-dasharray: 3 3; }
.off { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 13px; }
.legend input { position: absolute; opacity: 0; }
.legend input:not(:checked) + i { background: none; box-shadow: inset 0 0 0 2px var(--c); }
.reading { display: block; min-height: 20px; font-variant-numeric: tabular-nums; }
.pictures { display: flex; flex-wrap: wrap; gap: 6px; }
img:not(.diagram) { image-rendering: pixelated; }
.diagram { display: block; }
.data { display: grid; gap: 8px; grid-template-columns: minmax(0, 1fr); }
.data > p, .data h3 { margin: 4px 0; }
.samples { display: flex; flex-wrap: wrap; gap: 10px; }
.sample-text { max-width: 240px; overflow-wrap: anywhere; font-size: 13px; }
.cloud { fill: var(--series-1); border: 1px solid var(--border); }
.series { border: 1px solid var(--border); }
.series path { fill: none; stroke-width: 1.2; }
.series rect { fill: var(--sunken); stroke: var(--border); }
.tokens { display: flex; flex-wrap: wrap; gap: 2px; font-size: 13px; }
.token { display: inline-grid; padding: 0 3px; border: 1px solid var(--border); border-radius: 3px; }
.token:is([data-is="masked"], [data-is="replaced"], [data-is="kept"], [data-is="answer"]) { border-color: var(--accent); font-weight: 600; }
.token:is([data-is="special"], [data-is="unknown"]) { color: var(--muted); border-style: dashed; }
details > summary { cursor: pointer; }
.study summary, .provenance { font-size: 13px; }
.provenance > * { margin-top: 8px; }
footer { margin-top: 48px; padding-top: 12px; border-top: 1px solid var(--border); color: var(--muted); font-size: 12.5px; overflow-wrap: anywhere; }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; } figure, table, .cell > pre { break-inside: avoid; } }
`

/** Colours of series, after Okabe and Ito; the order keeps neighbours apart for every kind of colour vision. */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#444444']

/** The style sheet of a report; it looks like paper, so that it prints as it is read. */
export const STYLE = `
:root { color-scheme: light; --text: #1e2227; --muted: #5a636d; --border: #e2e2dd; --accent: #2458a6; }
* { box-sizing: border-box; }
body { max-width: 860px; margin: 0 auto; padding: 32px 20px 64px; color: var(--text); background: #fff;
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1, h2, h3 { line-height: 1.25; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, input:focus-visible + i { outline: 2px solid var(--accent); outline-offset: 2px; }
pre, code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 12.5px; }
pre { margin: 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.cell { margin: 20px 0; }
.code > summary { color: var(--muted); font-size: 12px; cursor: pointer; }
.code > pre, .prose pre { padding: 10px 12px; border: 1px solid var(--border); border-radius: 6px; background: #f7f7f5; }
.output { display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr); padding: 10px 0 0 12px; margin-top: 8px;
  border-left: 2px solid var(--border); }
.stale { color: #865200; font-size: 13px; margin: 0; }
.error { color: #b3261e; }
[data-level="warn"] { color: #865200; }
[data-level="error"] { color: #b3261e; }
.kind, .note, .reading { color: var(--muted); font-size: 12.5px; margin: 0; }
.kind { display: block; }
.title { margin: 0; font-weight: 600; }
.study > * { margin: 0 0 10px; }
figure { margin: 0; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 12px 3px 0; border-bottom: 1px solid var(--border); text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-weight: 500; }
.number { text-align: right; }
.scroll { overflow-x: auto; }
.swatch, .legend i { display: inline-block; width: 10px; height: 10px; margin-right: 6px; border-radius: 3px; background: var(--c); }
.chart svg { display: block; width: 100%; height: auto; touch-action: pan-y; }
.chart text { fill: var(--muted); font-size: 11px; text-anchor: middle; }
.chart text.y { text-anchor: end; }
.grid { stroke: var(--border); }
.line { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round; }
.band { fill: var(--c); opacity: 0.15; }
.chart circle, .chart rect { fill: var(--c); }
.cursor { stroke: var(--muted); stroke-dasharray: 3 3; }
.off { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 13px; }
.legend input { position: absolute; opacity: 0; }
.legend input:not(:checked) + i { background: none; box-shadow: inset 0 0 0 2px var(--c); }
.reading { display: block; min-height: 20px; font-variant-numeric: tabular-nums; }
.pictures { display: flex; flex-wrap: wrap; gap: 6px; }
img { image-rendering: pixelated; }
.heatmap img { width: 100%; max-width: 480px; max-height: 480px; }
details > summary { cursor: pointer; }
.study summary, .provenance { font-size: 13px; }
.provenance > * { margin-top: 8px; }
footer { margin-top: 48px; padding-top: 12px; border-top: 1px solid var(--border); color: var(--muted); font-size: 12.5px; overflow-wrap: anywhere; }
@media print { body { max-width: none; padding: 0; } figure, table, .cell > pre { break-inside: avoid; } }
`

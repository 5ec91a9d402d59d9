import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chart } from '../../engine/charts/figure/chart.ts'

const ROOT = join(import.meta.dirname, '../..')
const PLOTLY = 'plotly-cartesian.min.js'

/** A drawing in both themes. */
export interface Drawn {
  file: string
  name: string
  light: Chart
  dark: Chart
  /** SVG, a column wide. */
  paper: string
}

/** A diagram of a model, as SVG. */
export interface DrawnDiagram {
  name: string
  svg: string
}

/** Writes the page, with its script and Plotly beside it. Returns its path. */
export function writePage(folder: string, drawn: Drawn[], diagrams: DrawnDiagram[]): string {
  copyFileSync(join(ROOT, 'node_modules/plotly.js-cartesian-dist-min', PLOTLY), join(folder, PLOTLY))
  copyFileSync(join(import.meta.dirname, 'page.js'), join(folder, 'page.js'))
  const path = join(folder, 'index.html')
  writeFileSync(path, pageHtml(drawn, diagrams))
  return path
}

function pageHtml(drawn: Drawn[], diagrams: DrawnDiagram[]): string {
  const style = ['tokens.css', 'styles/base.css', 'styles/chart.css'].map((name) =>
    readFileSync(join(ROOT, 'renderer', name), 'utf8'),
  )
  return `<!doctype html>
<html lang="en" data-theme="light">
<meta charset="utf-8">
<title>Mixlab: charts</title>
<style>
${style.join('\n')}
html, body { height: auto; overflow: auto }
body { max-width: 860px; margin: 24px auto; padding: 0 16px; background: var(--canvas); color: var(--text) }
article { margin: 16px 0; padding: 12px 16px; border: 1px solid var(--border); border-radius: 7px; background: var(--surface) }
h2 { font-size: 11.5px; font-weight: 400; color: var(--muted) }
.figure { height: 100% }
table { border-collapse: collapse } td, th { padding: 2px 10px; text-align: left }
details div { max-height: 240px; overflow: auto }
details .paper { max-height: none; padding: 8px; background: #ffffff }
</style>
<h1>Charts</h1>
<p><button class="button" id="theme">Light or dark</button> ${drawn.length} charts of real runs.</p>
${drawn.map(article).join('\n')}
${diagrams.map(({ name, svg }) => `<article><h2>${text(name)}</h2>${svg}</article>`).join('\n')}
<script type="application/json" id="charts">${JSON.stringify(drawn.map(({ light, dark }) => ({ light, dark }))).replaceAll('<', '\\u003c')}</script>
<script src="${PLOTLY}"></script>
<script src="page.js"></script>
</html>
`
}

function article({ file, name, paper, light: { title, height, note, columns, rows } }: Drawn): string {
  const shown = rows.slice(0, 50).map((row) => `<tr>${row.map((value) => `<td>${text(value)}</td>`).join('')}</tr>`)
  const head = columns.map((column) => `<th>${text(column)}</th>`).join('')
  return `<article id="${file.replace('/', '-')}-${name.replace(/\W+/g, '-')}">
<h2>engine/charts/${file}.ts: ${text(name)}</h2>
<figure class="chart"><div class="chart-head"><figcaption>${text(title)}</figcaption></div>
<div class="chart-box"${height === undefined ? '' : ` style="height: ${height}px"`}><div class="figure"></div></div>
${note ? `<p class="muted">${text(note)}</p>` : ''}</figure>
<details><summary>On paper</summary><div class="paper">${paper}</div></details>
<details><summary>Data, ${rows.length} rows</summary><div><table><tr>${head}</tr>${shown.join('')}</table></div></details>
</article>`
}

function text(value: string | number | null): string {
  return String(value ?? '–')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base64 } from '../data/base64.ts'
import type { ReportCell, ReportData } from './gather.ts'
import { type Html, html, raw } from './html.ts'
import { markdownHtml } from './markdown.ts'
import type { ShownQuery } from './output.ts'
import { SCRIPT } from './script.ts'
import { studyHtml } from './study.ts'
import { STYLE } from './style.ts'
import { tableHtml, valueHtml } from './values.ts'

/**
 * A report as one HTML file: text, code, results and figures of a notebook, and where each number comes from. It asks for
 * nothing from elsewhere, which its own policy makes sure of, and depends on nothing but what is in it.
 */
export function reportHtml(data: ReportData): string {
  const { name, version, cells } = data
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${hashOf(SCRIPT)}'`
  const code = JSON.stringify(cells.map(({ cell: { id, kind, source } }) => [id, kind, source]))
  const hash = bytesToHex(sha256(new TextEncoder().encode(code)))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<title>${name.replace(/\.ts$/, '')}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
${cells.map(cellHtml)}
</main>
<footer>${name}, written by Mixlab ${version}. SHA-256 of the cells: ${hash}</footer>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`.html
}

function cellHtml(cell: ReportCell): Html {
  const { id, kind, source } = cell.cell
  if (kind === 'markdown') return html`<section class="cell prose">${markdownHtml(source)}</section>\n`
  const body = html`<details class="code" open><summary>${id}</summary><pre><code>${source}</code></pre></details>`
  return html`<section class="cell">${body}${outputHtml(cell)}</section>\n`
}

function outputHtml({ output, stale, studies }: ReportCell): Html | null {
  if (!output) return null
  const { console, displays, value, error, query } = output
  const lines = console.map(({ level, text }) => html`<span data-level="${level}">${text}\n</span>`)
  return html`<div class="output">
${stale ? html`<p class="stale">The code has changed since this output was made.</p>` : null}
${lines.length > 0 ? html`<pre>${lines}</pre>` : null}${displays.map(valueHtml)}${studies.map(studyHtml)}${query && queryHtml(query)}
${value && valueHtml(value)}${error && html`<pre class="error">${error.message}</pre>`}</div>`
}

function queryHtml({ columns, rows, truncated }: ShownQuery): Html {
  const table = tableHtml({ type: 'table', columns, rows, total: rows.length })
  return html`${table}${truncated ? html`<p class="note">and more rows</p>` : null}`
}

/** What the policy of a page calls a script by. */
function hashOf(script: string): string {
  return base64(sha256(new TextEncoder().encode(script)))
}

import { letterOf } from '../charts/drawing/letters.ts'
import { shownCharts } from '../charts/shown.ts'
import { chartHtml, REPORT_STYLE } from './chart.ts'
import { dataHtml } from './data.ts'
import { type Html, html } from './html.ts'
import type { ShownTable, ShownValue } from './output.ts'
import { imagesHtml } from './picture.ts'

/** A value that a cell showed: its picture, figure or table where it has one, else its text. */
export function valueHtml({ kind, text, body }: ShownValue): Html {
  const drawn = body?.type === 'tensor' ? body.figure : body
  const kindHtml = kind.includes(' ') ? html`<span class="kind">${kind}</span>` : null
  switch (drawn?.type) {
    case 'marks':
    case 'heatmap':
      return html`${drawn.type === 'heatmap' ? kindHtml : null}${shownCharts(drawn, REPORT_STYLE).map(chartHtml)}`
    case 'panels':
      return html`${drawn.title && html`<p>${drawn.title}</p>`}${shownCharts(drawn, REPORT_STYLE).map((chart, i) =>
        chartHtml({ ...chart, title: `${letterOf(i)} ${chart.title}` }),
      )}`
    case 'table':
      return tableHtml(drawn)
    case 'images':
      return html`${kindHtml}${imagesHtml(drawn)}`
    case 'data':
      return dataHtml(drawn)
    default:
      return html`<pre class="value">${kindHtml}${text}</pre>`
  }
}

export function tableHtml({ columns, rows, total }: ShownTable): Html {
  const left = total - rows.length
  return html`<div class="scroll"><table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((value) => html`<td${typeof value === 'number' ? NUMBER : null}>${value ?? '–'}</td>`)}</tr>`)}</tbody></table></div>${left > 0 ? html`<p class="note">and ${left} more rows</p>` : null}`
}

const NUMBER: Html = { html: ' class="number"' }

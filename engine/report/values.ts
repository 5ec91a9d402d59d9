import { chartHtml, type ReportChart } from './chart.ts'
import { dataHtml } from './data.ts'
import { type Html, html } from './html.ts'
import type { ShownMarks, ShownTable, ShownValue } from './output.ts'
import { heatmapHtml, imagesHtml } from './picture.ts'

/** A value that a cell showed: its picture, figure or table where it has one, else its text. */
export function valueHtml({ kind, text, body }: ShownValue): Html {
  const drawn = body?.type === 'tensor' ? body.figure : body
  const kindHtml = kind.includes(' ') ? html`<span class="kind">${kind}</span>` : null
  switch (drawn?.type) {
    case 'marks':
      return marksHtml(drawn)
    case 'heatmap':
      return html`${kindHtml}${heatmapHtml(drawn)}`
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

function marksHtml(marks: ShownMarks): Html {
  const { title, note } = marks
  return html`${title && html`<p class="title">${title}</p>`}${chartHtml(chartOf(marks))}${note && html`<p class="note">${note}</p>`}`
}

/** Bars, and all marks at places with names, stand at whole numbers. */
function chartOf({ mark, series, title, xLabel, yLabel }: ShownMarks): ReportChart {
  const places = series.flatMap(({ x }) => x)
  const named = mark === 'bar' || places.some((place) => typeof place !== 'number')
  const categories = named ? [...new Set(places.map(String))] : null
  return {
    label: title ?? series.map(({ name }) => name).join(', '),
    xLabel: xLabel ?? '',
    yLabel: yLabel ?? '',
    mark,
    categories,
    series: series.map(({ name, x, y }) => ({
      name,
      x: x.map((place) => (categories ? categories.indexOf(String(place)) : Number(place))),
      y,
    })),
  }
}

export function tableHtml({ columns, rows, total }: ShownTable): Html {
  const left = total - rows.length
  return html`<div class="scroll"><table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((value) => html`<td${typeof value === 'number' ? NUMBER : null}>${value ?? '–'}</td>`)}</tr>`)}</tbody></table></div>${left > 0 ? html`<p class="note">and ${left} more rows</p>` : null}`
}

const NUMBER: Html = { html: ' class="number"' }

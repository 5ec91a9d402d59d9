import { encode } from 'fast-png'
import { base64 } from '../data/base64.ts'
import { classColour, maskShares, partText, rgbOf, seenFrom, seriesPaths } from '../datacard/drawing.ts'
import type { DataBody, DataCard, PartOf, SamplePart, Samples, Token } from '../datacard/schema.ts'
import { type Html, html, raw } from './html.ts'
import { STYLE } from './style.ts'

/** What a cell showed of a data set: its card, samples, a batch. */
export function dataHtml({ card, samples, batch }: DataBody): Html {
  return html`<div class="data">${card && cardHtml(card)}${samples && samplesHtml('Samples', samples)}${
    batch && samplesHtml('A batch as the model gets it', batch)
  }</div>`
}

/** The same as a page by itself. */
export function dataPage(body: DataBody): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
  const title = body.card?.expression ?? 'data'
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${dataHtml(body)}
</main>
</body>
</html>
`.html
}

function cardHtml({
  expression,
  kind,
  task,
  splits,
  shape,
  source,
  licence,
  hash,
  notices,
  looked,
  classes,
}: DataCard): Html {
  const sizes = splits.map(({ name, size }) => `${name} ${size.toLocaleString('en-US')}`).join(', ')
  const facts = [
    ['data', expression],
    ['holds', `${kind}, read for ${task}()`],
    ['splits', `${sizes} ${splits[0]?.unit ?? 'examples'}`],
    ['parts', shape],
    ['from', `${source}; licence: ${licence ?? 'not stated'}`],
    ['SHA-256', hash],
  ]
  return html`${notices.map((notice) => html`<p class="stale">${notice}</p>`)}
<table><tbody>${facts.map(([name, value]) => html`<tr><th scope="row">${name ?? ''}</th><td>${value ?? ''}</td></tr>`)}</tbody></table>
${classes && classesHtml(classes, splits)}<p class="note">${looked}</p>`
}

function classesHtml({ list, left, of }: NonNullable<DataCard['classes']>, splits: DataCard['splits']): Html {
  const heads = ['class', ...splits.map(({ name }) => name), '']
  const rows = list.map(({ name, counts, example }) => {
    const [first] = example?.parts ?? []
    const cells = counts.map((count) => html`<td${NUMBER}>${count.toLocaleString('en-US')}</td>`)
    return html`<tr><th scope="row">${name}</th>${cells}<td>${first ? partHtml(first.part, true) : null}</td></tr>`
  })
  return html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>${left > 0 || of !== 'examples' ? html`<p class="note">counted in ${of}; ${left} more classes</p>` : null}`
}

const NUMBER: Html = { html: ' class="number"' }

function samplesHtml(what: string, { title, samples, notes }: Samples): Html {
  const items = samples.map(
    ({ title: each, parts }) =>
      html`<figure><figcaption class="note">${each}</figcaption>${parts.map(({ part }) => partHtml(part, false))}</figure>`,
  )
  return html`<h3>${what} <span class="note">${title}</span></h3>${notes.map((note) => html`<p class="note">${note}</p>`)}
<div class="samples">${items}</div>`
}

function partHtml(part: SamplePart, small: boolean): Html {
  switch (part.type) {
    case 'image':
    case 'mask':
      return html`${pictureHtml(part, small)}${part.type === 'mask' && !small ? legendHtml(part) : null}`
    case 'points':
      return cloudHtml(part, small ? 40 : 130)
    case 'series':
      return seriesHtml(part, small)
    case 'tokens':
      return small ? html`${partText(part).slice(0, 80)}` : tokensHtml(part)
    default:
      return html`<div class="sample-text">${small ? partText(part).slice(0, 80) : partText(part)}</div>`
  }
}

function pictureHtml(part: PartOf<'image'> | PartOf<'mask'>, small: boolean): Html {
  const { width, height } = part
  const scale = small ? 1 : Math.max(1, Math.floor(96 / Math.max(width, height)))
  const png = base64(encode({ data: Uint8Array.from(rgbOf(part)), width, height, channels: 3, depth: 8 }))
  return html`<img src="data:image/png;base64,${png}" width="${width * scale}" height="${height * scale}" alt="${partText(part)}">`
}

function legendHtml(part: PartOf<'mask'>): Html {
  return html`<div class="note">${maskShares(part).map(
    ({ label, name, share }) =>
      html`<span class="swatch" style="--c: rgb(${classColour(label).join(' ')})"></span>${name} ${Math.round(100 * share)}% `,
  )}</div>`
}

function cloudHtml(part: PartOf<'points'>, side: number): Html {
  const dots = seenFrom(part, 30, 20).map(({ x, y, near }) => {
    const [left, top] = [x, y].map((at) => ((1 + at / 1.05) * side) / 2) as [number, number]
    return html`<circle cx="${left.toFixed(1)}" cy="${top.toFixed(1)}" r="${((1 + near) * side) / 130}" opacity="${(0.25 + 0.75 * near).toFixed(2)}"/>`
  })
  return html`<svg class="cloud" width="${side}" height="${side}" role="img" aria-label="${partText(part)}">${dots}</svg>`
}

function seriesHtml(part: PartOf<'series'>, small: boolean): Html {
  const [width, height] = small ? [80, 24] : [240, 80]
  const { paths, split } = seriesPaths(part, width, height)
  const lines = paths.map((d, i) => html`<path d="${d}" style="stroke: var(--series-${(i % 7) + 1})"/>`)
  const ground = split === null ? null : html`<rect x="${split}" width="${width - split}" height="${height}"/>`
  const said = split === null || small ? null : html`<div class="note">${partText(part)}</div>`
  return html`<svg class="series" width="${width}" height="${height}" role="img" aria-label="${partText(part)}">${ground}${lines}</svg>${said}`
}

function tokensHtml({ tokens, left }: PartOf<'tokens'>): Html {
  const padding = tokens.filter(({ is }) => is === 'padding').length
  const more = [...(padding > 0 ? [`${padding} of padding`] : []), ...(left > 0 ? [`${left} more`] : [])]
  return html`<div class="tokens">${tokens.filter(({ is }) => is !== 'padding').map(tokenHtml)}${
    more.length > 0 ? html`<span class="note">${more.join(', ')}</span>` : null
  }</div>`
}

function tokenHtml({ text, id, is, was }: Token): Html {
  const said = was !== undefined && is !== 'kept' ? html`<small>${was}</small>` : null
  return html`<span class="token" data-is="${is ?? ''}" title="${id}">${text}${said}</span>`
}

import { unzlibSync } from 'fflate'
import { PDFDocument } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import type { Shape } from '../../../../engine/charts/drawing/drawing.ts'
import { letterOf } from '../../../../engine/charts/drawing/letters.ts'
import { pdfOf } from '../../../../engine/charts/drawing/pdf.ts'
import { drawPages } from '../../../../engine/charts/drawing/sheet.ts'
import { heightsOf, writeFigure } from '../../../../engine/charts/drawing/write.ts'
import {
  COLUMN,
  checkPaper,
  PAGE_HEIGHT,
  paperStyle,
  pointsOf,
  sheetOf,
} from '../../../../engine/charts/figure/paper.ts'
import { SAMPLES } from './samples.ts'

const style = paperStyle(COLUMN)
const sample = (name: string) => SAMPLES[name]?.(style) as never
const text = async (...given: Parameters<typeof writeFigure>) =>
  new TextDecoder('latin1').decode(await writeFigure(...given))

/** What a page of a PDF says, uncompressed. */
function contentsOf(pdf: Uint8Array): string {
  const latin = new TextDecoder('latin1').decode(pdf)
  const streams = [...latin.matchAll(/stream\r?\n/g)].flatMap(({ index, 0: start }) => {
    try {
      return [new TextDecoder('latin1').decode(unzlibSync(pdf.subarray(index + start.length)))]
    } catch {
      return []
    }
  })
  return streams.join('\n') || latin
}

describe('a PDF', () => {
  it('has its text as text in standard fonts, 7 points or more, and the same bytes again', async () => {
    const pdf = await writeFigure([sample('curves')], 'pdf', COLUMN)
    const said = contentsOf(pdf)
    const sizes = [...said.matchAll(/\/\S+ ([\d.]+) Tf/g)].map(([, size]) => Number(size))
    expect(Math.min(...sizes)).toBe(COLUMN.font)
    const hex = [...'gmlp'].map((letter) => letter.charCodeAt(0).toString(16)).join('')
    expect(said.toLowerCase()).toContain(`<${hex}> tj`)
    expect(await writeFigure([sample('curves')], 'pdf', COLUMN)).toEqual(pdf)
  })

  it('is written of more marks than a call takes arguments', async () => {
    const points = Array.from({ length: 70_000 }, (_, i) => [i, i] as const)
    const line: Shape = { kind: 'line', points, stroke: { color: 'rgb(0, 0, 0)', width: 1 } }
    const pdf = await pdfOf([{ width: 100, height: 100, shapes: [line] }], 'marks')
    expect(contentsOf(pdf).match(/ l\n/g)?.length).toBe(69_999)
  })

  it('has pages that are no higher than paper, with the letters going on, where one would be', async () => {
    const charts = Array.from({ length: 8 }, () => sample('grid'))
    const heights = heightsOf(charts, 'pdf', COLUMN)
    expect(heights.length).toBeGreaterThan(1)
    expect(Math.max(...heights)).toBeLessThanOrEqual(PAGE_HEIGHT)
    expect(heightsOf(charts, 'svg', COLUMN)).toEqual([expect.toSatisfy((height) => height > PAGE_HEIGHT)])
    const pdf = await writeFigure(charts, 'pdf', COLUMN)
    expect((await PDFDocument.load(pdf)).getPageCount()).toBe(heights.length)
    const texts = drawPages(charts, sheetOf(COLUMN), 1, pointsOf(PAGE_HEIGHT)).flatMap(({ shapes }) =>
      shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : [])),
    )
    expect(texts.filter((text) => /^\([a-z]\)$/.test(text))).toEqual(charts.map((_, i) => letterOf(i)))
    expect(heightsOf(charts.slice(0, 1), 'pdf', COLUMN)).toHaveLength(1)
  })

  it('is written of lines, dots, bars, cells and pictures', async () => {
    for (const name of ['scaling', 'bars', 'grid', 'histograms']) {
      const pdf = await writeFigure([sample(name)], 'pdf', COLUMN)
      expect(new TextDecoder('latin1').decode(pdf.subarray(0, 5)), name).toBe('%PDF-')
    }
  })
})

describe('an SVG', () => {
  it('has its text as text, escaped, and nothing from elsewhere', async () => {
    for (const name of Object.keys(SAMPLES)) {
      const svg = await text([sample(name)], 'svg', COLUMN)
      expect(svg, name).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="240.94pt"/)
      expect(svg, name).not.toMatch(/NaN|undefined|<b>|<script/)
      const addresses = [...svg.matchAll(/(?:href|src)="([^"]{11})|url\(/g)].map(([, address]) => address)
      expect(
        addresses.filter((address) => address !== 'data:image/'),
        name,
      ).toEqual([])
    }
    expect(await text([sample('curves')], 'svg', COLUMN)).toContain('>resmlp &#60;b&#62;</text>')
  })
})

describe('pgfplots', () => {
  it('has an axis a panel, the numbers, and nothing that TeX reads as its own', async () => {
    for (const name of Object.keys(SAMPLES)) {
      const tex = await text([sample(name)], 'tex', COLUMN)
      expect(tex.match(/\\begin\{axis\}/g)?.length, name).toBe(tex.match(/\\end\{axis\}/g)?.length)
      expect(tex, name).not.toMatch(/undefined|coordinates \{\}|<b>/)
      expect(tex.replaceAll(/^%.*$/gm, ''), name).not.toMatch(/[^\\]%|[^\\]&|[^\\$]_/)
    }
    expect(await text([sample('curves')], 'tex', COLUMN)).toContain('\\addlegendentry{vit \\& co}')
    // a series without points is in the legend alone
    expect(await text([sample('curves')], 'tex', COLUMN)).toContain('\\addlegendimage')
  })

  it('says where TeX has no memory for a matrix', async () => {
    const row = Array.from({ length: 101 }, () => 1)
    const chart = {
      title: 'many',
      columns: [],
      rows: [],
      figure: { data: [{ type: 'heatmap', z: row.map(() => row), colorscale: [], hovertemplate: '' }], layout: {} },
    }
    await expect(writeFigure([chart as never], 'tex', COLUMN)).rejects.toThrow(
      'pgfplots: many has 10201 cells, TeX takes 10000',
    )
  })
})

it('the numbers are those of the charts, each panel below its letter', async () => {
  expect(await text([sample('lines'), sample('heatmap')], 'csv', COLUMN)).toMatch(
    /^# \(a\) l\r\nseries,x_1 in %,y\r\na,0,1\r\n[^#]+# \(b\) m\r\nrow,0,1,2\r\n/,
  )
})

it('widths and letters are those of paper', () => {
  expect(() => checkPaper({ width: 3, font: 8 })).toThrow('width: 3 cm, expected 4 to 60 cm')
  expect(() => checkPaper({ width: 8.5, font: 6.9 })).toThrow('font: 6.9 pt, expected 7 to 24 pt')
  expect(() => checkPaper({ width: Number.NaN, font: 8 })).toThrow('width')
})

import { describe, expect, it } from 'vitest'
import { depth } from '../../../../engine/charts/depth.ts'
import { draw } from '../../../../engine/charts/drawing/draw.ts'
import type { Drawing, Shape, TextShape } from '../../../../engine/charts/drawing/drawing.ts'
import { fitted, plainLines, textWidth } from '../../../../engine/charts/drawing/letters.ts'
import { drawSheet } from '../../../../engine/charts/drawing/sheet.ts'
import { PAGE_HEIGHT, paperStyle, sheetOf } from '../../../../engine/charts/figure/paper.ts'
import { SAMPLES } from './samples.ts'

const COLUMN = { width: 8.5, font: 7 }
const PAPERS = [COLUMN, { width: 8.5, font: 10 }, { width: 17.5, font: 8 }]

const all = (shape: Shape): Shape[] => ('shapes' in shape ? shape.shapes.flatMap(all) : [shape])
const texts = ({ shapes }: Drawing) => shapes.flatMap(all).filter((shape): shape is TextShape => shape.kind === 'text')

/** What the letters cover, of texts that lie or stand. */
function boxOf({ x, y, text, size, anchor, turned }: TextShape) {
  const [width, height] = [textWidth(text, size), 0.72 * size]
  const before = anchor === 'start' ? 0 : anchor === 'end' ? width : width / 2
  if (turned === 90) return { left: x - height, right: x, top: y - (width - before), bottom: y + before }
  return { left: x - before, right: x - before + width, top: y - height, bottom: y }
}

describe.each(Object.keys(SAMPLES))('%s', (name) => {
  it.each(PAPERS)('has all its text on the paper, none on another, in letters of one size: %o', (paper) => {
    const drawing = draw(SAMPLES[name]?.(paperStyle(paper)) as never, sheetOf(paper))
    const shown = texts(drawing)
    expect(shown.length).toBeGreaterThan(0)
    expect(new Set(shown.map(({ size }) => size))).toEqual(new Set([paper.font]))
    const boxes = shown
      .filter(({ turned }) => !turned || turned === 90)
      .map((shape) => ({ text: shape.text, ...boxOf(shape) }))
    const off = boxes.filter(
      ({ left, right, top, bottom }) =>
        left < -0.5 || right > drawing.width + 0.5 || top < -0.5 || bottom > drawing.height + 0.5,
    )
    expect(off).toEqual([])
    const meeting = boxes.flatMap((a, i) =>
      boxes
        .slice(i + 1)
        .filter(
          (b) =>
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.3 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.3,
        )
        .map((b) => `${a.text} on ${b.text}`),
    )
    expect(meeting).toEqual([])
  })
})

describe('a drawing', () => {
  it('is at most a page high, however many matrices there are, and names its panels and axes in full', () => {
    for (const name of ['matricesOfMany', 'memories']) {
      const { height } = draw(sample(name), sheetOf(COLUMN))
      expect(height, name).toBeLessThan((PAGE_HEIGHT / 2.54) * 72)
    }
    const said = texts(draw(sample('multiples'), sheetOf(COLUMN))).map(({ text }) => text)
    expect(said.filter((text) => text === 'step')).toHaveLength(2) // below each of two columns
    expect(said.join('')).toContain('validation/examples_per_second,') // in lines
    expect(said.filter((text) => text.includes('…') && !text.startsWith('mixer'))).toEqual([])
  })

  const sample = (name: string) => SAMPLES[name]?.(paperStyle(COLUMN)) as never

  it('tells series apart by dashes and symbols, not by colour alone', () => {
    const lines = draw(sample('curves'), sheetOf(COLUMN))
      .shapes.flatMap(all)
      .filter((shape) => shape.kind === 'line')
    const dashes = lines.map(({ stroke }) => JSON.stringify([stroke.color, stroke.dash]))
    expect(new Set(dashes.map((each) => JSON.parse(each)[1]?.join() ?? '')).size).toBeGreaterThanOrEqual(4)
  })

  it('is of its width, and as high as it needs', () => {
    for (const name of Object.keys(SAMPLES)) {
      const { width, height } = draw(sample(name), sheetOf(COLUMN))
      expect(width).toBeCloseTo(240.9, 1)
      expect(height).toBeGreaterThan(20)
      expect(Number.isFinite(height)).toBe(true)
    }
  })

  it('has letters where it has several panels, and none where it has one', () => {
    const charts = [sample('curves'), sample('grid'), sample('heatmap')]
    const letters = (count: number) =>
      texts(drawSheet(charts.slice(0, count), sheetOf(COLUMN), 2))
        .filter(({ bold }) => bold)
        .map(({ text }) => text)
    expect(letters(3)).toEqual(['(a)', '(b)', '(c)'])
    expect(letters(1)).toEqual([])
  })

  it('draws nothing but its frame where there are no values', () => {
    const empty = { figure: { data: [], layout: {} }, title: '', columns: [], rows: [] }
    expect(draw(empty, sheetOf(COLUMN)).height).toBeGreaterThan(0)
  })
})

describe('letters', () => {
  it('are those that the figure stands for', () => {
    expect(plainLines('a &lt;b&gt;<br>%&#123;y}')).toEqual(['a <b&gt;', '%{y}'])
  })
  it('are measured as Helvetica has them, and shortened in the middle', () => {
    expect(textWidth('gMLP', 10)).toBeCloseTo(26.12)
    expect(textWidth(fitted('a very long name of a variant', 8, 60), 8)).toBeLessThanOrEqual(60)
    expect(fitted('a very long name of a variant', 8, 60)).toMatch(/^a very.*….*ant$/)
  })
})

it('names the last of values that are not even, as depths are, where not all have room', () => {
  const rows = [1, 2, 4, 6, 12, 24].map((blocks) => {
    return { variant: 'gmlp', seed: 1, run: blocks, depth: blocks, value: blocks / 100 }
  })
  const paper = { width: 5, font: 8 }
  const said = texts(draw(depth(rows, { metric: 'loss' }, paperStyle(paper)), sheetOf(paper))).map(({ text }) => text)
  expect(said).toEqual(expect.arrayContaining(['6', '12', '24']))
  expect(said).not.toContain('1')
})

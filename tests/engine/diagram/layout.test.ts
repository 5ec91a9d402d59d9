import { expect, it, test } from 'vitest'
import type { Diagram } from '../../../engine/diagram/diagram.ts'
import { diagramSvg } from '../../../engine/diagram/draw.ts'
import { type Box, type Picture, pictureOf } from '../../../engine/diagram/layout.ts'
import { openedTo } from '../../../engine/diagram/opened.ts'
import { treeOf } from '../../../engine/diagram/tree.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { sample } from '../../long.ts'
import { tiny } from '../models/tiny.ts'
import { blockOfCell, drawn } from './models.ts'

/** What fits the page. */
const WIDTH = 1280

const opened = (diagram: Diagram, levels: number): Picture => {
  const root = treeOf(diagram)
  return pictureOf(diagram, root, openedTo(root, levels))
}

const inside = (box: Box, outer: Pick<Box, 'x' | 'y' | 'width' | 'height'>) =>
  box.x >= outer.x &&
  box.y >= outer.y &&
  box.x + box.width <= outer.x + outer.width + 0.01 &&
  box.y + box.height <= outer.y + outer.height + 0.01

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

test.each(sample(tiny))('%s is drawn without overlap, opened to its operations', async (name, block, modality) => {
  const diagram = await drawn(name, block, modality)
  const { boxes, lines, width, height } = opened(diagram, 9)
  expect(width).toBeLessThan(WIDTH)
  const wrong = boxes.flatMap((box, i) => {
    const isOut = inside(box, { x: 0, y: 0, width, height }) ? [] : [`${box.node.id} is outside`]
    const beside = boxes.slice(i + 1).flatMap((other) => {
      const isWithin = other.node.id.startsWith(`${box.node.id}/`)
      return (isWithin ? inside(other, box) : !overlap(box, other)) ? [] : [`${box.node.id} and ${other.node.id}`]
    })
    return [...isOut, ...beside]
  })
  expect(wrong).toEqual([])
  expect(lines.flatMap(({ points }) => points.filter(([x, y]) => x < 0 || y < 0 || x > width || y > height))).toEqual(
    [],
  )
  expect(lines.filter(({ points }) => (points.at(-1)?.[1] ?? 0) <= (points[0]?.[1] ?? 0))).toEqual([])
})

it('shows the inside of what is open alone', async () => {
  const diagram = await drawn('gmlp', gmlp)
  expect(opened(diagram, 0).boxes.map(({ node }) => node.name)).toEqual([
    ...['stem.proj', 'blocks.0 … blocks.3', 'norm', 'mean', 'head', 'input'],
  ])
  const one = opened(diagram, 1).boxes
  expect(one.filter(({ depth }) => depth === 1).map(({ node }) => node.name)).toContain('mlp_channels.gate')
  expect(one.find(({ node }) => node.name.startsWith('blocks'))?.lines).toEqual([
    ...['blocks.0 … blocks.3  × 4', '1 × 16 × 8', '3.87 k parameters, 61.4 k MACs'],
  ])
})

it('opens what leads to a fault, and shows why', async () => {
  const block = await blockOfCell("  return scope?.('x') ?? add(x, dense(dense(x, ffn, { name: 'up' }), ffn))")
  const diagram = await drawn('mine', block)
  const { boxes } = opened(diagram, 0)
  expect(boxes.find(({ node }) => node.wrong !== null)?.lines[0]).toBe('fails here')
})

it('writes SVG whose text is text', async () => {
  const block = await blockOfCell('  return residual(x, dense(x, dim, { name: \'a<b & "c"\' }))')
  const svg = diagramSvg(await drawn('<mine>', block), 1)
  expect(svg).toContain('<title>&#60;mine&#62;</title>')
  expect(svg).toContain('a&#60;b &#38; &#34;c&#34;')
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="[\d.]+" height="[\d.]+" viewBox="0 0 /)
  expect(svg).not.toMatch(/NaN|undefined|light-dark/)
})

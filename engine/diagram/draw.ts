import type { Diagram } from './diagram.ts'
import { pictureOf } from './layout.ts'
import type { DiagramNode } from './node.ts'
import { openedTo } from './opened.ts'
import { COLOURS, svgOf } from './svg.ts'
import { treeOf } from './tree.ts'

/** What part of the multiply-adds of a model a part has, from 0 to 1. */
export function shareOf({ macs }: Pick<DiagramNode, 'macs'>, { totals }: Pick<Diagram, 'totals'>): number {
  return totals.macs > 0 ? macs / totals.macs : 0
}

/** A diagram as an SVG file; `open` has the ids of the parts that are open, or says how many levels deep it is opened. */
export function diagramSvg(
  diagram: Diagram,
  open: number | ReadonlySet<string>,
  theme: 'light' | 'dark' = 'light',
): string {
  const root = treeOf(diagram)
  const picture = pictureOf(diagram, root, typeof open === 'number' ? openedTo(root, open) : open)
  return svgOf(picture, ({ node }) => shareOf(node, diagram), diagram.name, COLOURS[theme])
}

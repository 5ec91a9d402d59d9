import { Graph, layout } from '@dagrejs/dagre'

/** A box to be placed. */
export interface Sized {
  width: number
  height: number
}

/** From one box to another, by their numbers. */
export interface Joined {
  from: number
  to: number
}

export type Point = readonly [x: number, y: number]

/** Where boxes and what joins them are; boxes by their upper left corners. */
export interface Arranged extends Sized {
  places: Point[]
  /** Of each line its points, from border to border. */
  lines: Point[][]
}

/** Between two boxes side by side, and one below the other. */
const [BESIDE, BELOW] = [18, 26]

/** Places boxes from top to bottom in layers, so that lines go down and cross seldom. No box is above one that leads to it. */
export function arrange(boxes: readonly Sized[], joined: readonly Joined[]): Arranged {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: BESIDE, ranksep: BELOW, edgesep: 10 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const [i, { width, height }] of boxes.entries()) graph.setNode(String(i), { width, height })
  for (const [i, { from, to }] of joined.entries()) graph.setEdge(String(from), String(to), {}, String(i))
  layout(graph)
  const places = boxes.map(({ width, height }, i): Point => {
    const { x = 0, y = 0 } = graph.node(String(i))
    return [x - width / 2, y - height / 2]
  })
  const lines = joined.map(({ from, to }, i): Point[] => {
    const { points = [] } = graph.edge(String(from), String(to), String(i)) as { points?: { x: number; y: number }[] }
    return points.map(({ x, y }) => [x, y])
  })
  // lines may go around all boxes, which the library does not count
  const xs = [...places.flatMap(([x], i) => [x, x + (boxes[i]?.width ?? 0)]), ...lines.flat().map(([x]) => x)]
  const left = xs.reduce((least, x) => Math.min(least, x), 0)
  const right = xs.reduce((most, x) => Math.max(most, x), 0)
  const shift = ([x, y]: Point): Point => [x - left, y]
  return {
    places: places.map(shift),
    lines: lines.map((line) => line.map(shift)),
    width: right - left,
    height: Math.max(0, graph.graph().height ?? 0),
  }
}

import { expect } from 'vitest'
import type { Graph, Use } from '../../../engine/compile/graph.ts'
import { recordGraph } from '../../../engine/compile/record.ts'
import { type Kind, randomCode } from './randomCode.ts'

export interface RandomGraph {
  name: string
  batch: number
  graph: Graph
}

/** What random code does, some of each kind. */
export async function randomGraphs(count: number): Promise<RandomGraph[]> {
  const graphs: RandomGraph[] = []
  for (const kind of ['forward', 'gradients', 'chain'] satisfies Kind[]) {
    for (let i = 0; i < count; i++) {
      const name = `${kind}/graph/${i}`
      const { batch, inputs, body } = randomCode(kind, name)
      graphs.push({ name, batch, graph: await recordGraph(inputs, body) })
    }
  }
  return graphs
}

/** Values that no operation makes. */
export function given({ inputs, constants, draws }: Graph): Set<number> {
  return new Set([...Object.values(inputs), ...[...constants, ...draws].map(({ use }) => use)].map(numberOf))
}

export function numberOf({ value }: Use): number {
  return value
}

/** Fails unless each value is made once and before it is needed. */
export function expectWellFormed(graph: Graph, title: string): void {
  const made = given(graph)
  for (const [i, { kernel, inputs, outputs }] of graph.operations.entries()) {
    for (const { value } of Object.values(inputs)) {
      if (!made.has(value)) expect.fail(`${title}: ${kernel}, operation ${i}, needs value ${value}`)
    }
    for (const { value } of outputs) {
      if (made.has(value) || value >= graph.values) expect.fail(`${title}: ${kernel}, operation ${i}, makes ${value}`)
      made.add(value)
    }
  }
  for (const { value } of Object.values(graph.outputs)) expect(made.has(value), title).toBe(true)
  expect(graph.backward, title).toBeLessThanOrEqual(graph.operations.length)
}

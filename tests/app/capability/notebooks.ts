import { setBackend } from '@tensorflow/tfjs'
import { hostForConnection } from '../../../app/connection.ts'
import { type LocalHost, openHost } from '../../../app/host.ts'
import { callsOf } from '../../../engine/call.ts'
import { type Channel, connect } from '../../../engine/channel.ts'
import { type Host, kernelCalls } from '../../../engine/host.ts'
import * as mixlab from '../../../engine/index.ts'
import { createScope } from '../../../engine/notebook/evaluate.ts'
import { analyze, dependenciesOf } from '../../../engine/notebook/graph.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { studiesIn } from '../../../engine/study/studies.ts'
import { freshWorkspace } from '../store/samples.ts'

/** A host as a page sees it, over a channel. */
export function pageOf(host: Host): Host {
  const listeners: ((message: Uint8Array) => void)[] = []
  const side = (own: number): Channel => ({
    post: (message) => void queueMicrotask(() => listeners[1 - own]?.(message)),
    listen: (receive) => {
      listeners[own] = receive
    },
  })
  connect(hostForConnection(host).host, side(0))
  return connect<Host>({}, side(1)).remote
}

export function freshHost(workspace = freshWorkspace()): LocalHost {
  return openHost({ workspace })
}

/** The calls of the kernel that runs a cell of a notebook, and what that issued. */
export async function kernelOf(host: Host, notebook: string, text: string, cell: string) {
  const cells = parseNotebook(text)
  const facts = analyze(cells)
  const needed = dependenciesOf(facts, cell).add(cell)
  const page = pageOf(host)
  const closure = cells.flatMap((each) => (needed.has(each.id) ? [{ ...each, kind: 'code' as const }] : []))
  const id = await page.issueCapability({ notebook, cells: closure })
  const calls = callsOf(kernelCalls, (name, given) =>
    page.callWith(id, name, given.slice(0, given.findLastIndex((each) => each !== undefined) + 1)),
  )
  return { page, id, calls, cells, facts, closure }
}

/** Runs a cell of a notebook, as the page has its kernel do, and trains its studies. */
export async function runCell(host: Host, notebook: string, text: string, cell: string): Promise<StudyEvent[]> {
  const { calls, cells, facts, page, id } = await kernelOf(host, notebook, text, cell)
  await setBackend('cpu')
  const scope = createScope({ mixlab })
  const silent = () => {}
  const console = { debug: silent, log: silent, info: silent, warn: silent, error: silent }
  for (const each of facts.order.filter((other) => dependenciesOf(facts, cell).has(other))) {
    await scope.evaluate(cells, facts, each, { console })
  }
  const { value, defined } = await scope.evaluate(cells, facts, cell, { console })
  const events: StudyEvent[] = []
  const environment = { runs: calls, files: calls, backend: { name: 'cpu', device: 'test' } as const }
  for (const study of studiesIn([value, ...Object.values(defined)])) {
    for await (const event of executeStudy(study, { ...environment, admit: calls.admitRuns })) events.push(event)
  }
  await page.endCapability(id)
  return events
}

/** A study of one block of a cell, `mine`, and a built-in one; `value` is what the block multiplies by. */
export const notebookWith = (value: number) => `// %% imports
import { adamw, add, block, compare, dense, image, mixer, mul, shapes } from 'mixlab'

// %% block
export const mine = block('mine', (x, { dim }) => add(x, mul(dense(x, dim), ${value})))

// %% study
export const one = compare('one', {
  task: image({ data: shapes({ train: 16, test: 8 }) }),
  model: { patch: 16, dim: 4, depth: 1 },
  train: { steps: 1, batch: 8, optimizer: adamw() },
  seeds: 1,
  variants: { mine },
})

// %% other
export const two = compare('two', { ...one.spec, variants: { mine: { block: mine, from: one } } })
`

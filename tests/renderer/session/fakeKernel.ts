import { expect } from 'vitest'
import type { Host, StartedCell } from '../../../engine/host.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import type { EvaluateRequest, EvaluateResult, PageCalls } from '../../../renderer/protocol/kernel.ts'
import { useFollowing } from '../../../renderer/session/following.ts'
import type { Kernel } from '../../../renderer/session/kernel/client.ts'
import { showText } from '../../../renderer/session/open.ts'
import { leave, restart, runCells } from '../../../renderer/session/run.ts'
import { EMPTY, useNotebook } from '../../../renderer/session/state.ts'
import { designOf } from '../../designs.ts'
import { UNASKED } from './unasked.ts'

/** What the kernels are asked, and what they answer. */
export const fake = {
  asked: [] as string[],
  started: 0,
  answer: async (_: EvaluateRequest, __: PageCalls): Promise<Partial<EvaluateResult>> => ({}),
}

/** A kernel that answers as told, in place of that of kernel/client.ts. */
export function startKernel(page: PageCalls): Kernel {
  fake.started++
  let die = (_: Error) => {}
  const death = new Promise<never>((_, reject) => {
    die = reject
  })
  death.catch(() => {})
  const chosen = { name: 'cpu', device: 'test', software: false } as const
  return {
    started: Promise.resolve({ chosen, options: [chosen] }),
    async evaluate(request) {
      fake.asked.push(`${request.train ? 'train' : 'evaluate'} ${request.id}`)
      const answer = await Promise.race([fake.answer(request, page), death])
      return { value: null, error: null, studies: [], interrupted: false, ...answer }
    },
    interrupt: async () => {},
    ...UNASKED,
    kill: (reason) => die(new Error(reason)),
  }
}

/** Cells whose outputs were stored, and what the host was told of cells that were started. */
export const written: string[] = []
export const started: string[] = []
export const host = {
  keepStarted: async ({ cell, plans }: StartedCell) => void started.push(`keep ${cell} ${Object.keys(plans)}`),
  freeStarted: async (_: string, cell: string) => void started.push(`free ${cell}`),
  endStarted: async (_: string, cell: string) => void started.push(`end ${cell}`),
  writeOutput: async (_: string, { cell }: { cell: string }) => {
    written.push(cell)
  },
} as unknown as Host

export const NOTEBOOK = `// %% block
export const block = 1

// %% study
export const study = block + 1

// %% use
export const use = study + 1
`
export const phase = (id: string) => useNotebook.getState().states[id]?.phase
export const settled = (...ids: string[]) =>
  expect.poll(() => ids.map(phase).filter((each) => each === 'queued' || each === 'running')).toEqual([])
/** Runs cells until none waits or is in progress. */
export async function ran(...ids: string[]): Promise<void> {
  runCells(ids)
  await settled(...useNotebook.getState().cells.map(({ id }) => id))
}
/** A run as a plan has it that is missing in the store. */
export const missing = (key = 'k', variant = 'a', seed = 1) => ({
  ...{ key, study: 's', variant, seed, spec: {}, code: '', done: null, resumesAt: null },
})
/** Tells the plan of a study with some runs, in the words of a kernel. */
export function plan(page: PageCalls, id: string, runs = [missing()], variants = ['a']): void {
  page.study(id, 's', [{ type: 'plan', study: 's', metric: 'm', variants, design: designOf('s', runs), runs }])
}
export const edit = (from: string, to: string) => showText(NOTEBOOK.replace(from, to))

/** Opens a notebook that nobody has run, with a kernel that answers at once. */
export function openNotebook(name: string, text = NOTEBOOK): void {
  useNotebook.setState({ ...EMPTY, name })
  showText(text)
}

/** Leaves what was open before, and opens a notebook in a fresh kernel. */
export function begin(): void {
  leave()
  restart()
  useFollowing.setState({ notebooks: [] })
  for (const list of [fake.asked, written, started]) list.length = 0
  fake.answer = async () => ({})
  useConnection.setState({ host })
  openNotebook('test.ts')
}

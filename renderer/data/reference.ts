import type { DataReference } from '../../engine/datacard/look.ts'
import { printNotebook } from '../../engine/notebook/print.ts'
import { host } from '../host/state.ts'
import { plainCells } from '../session/edit.ts'
import { useNotebook } from '../session/state.ts'

// How the address of the page names data: `run 12`, `cell gating`, or as a cell names a data set.

const RUN = /^run (\d+)$/
const CELL = /^cell (.+)$/s

export const dataOfRun = (id: number) => `run ${id}`
export const dataOfCell = (name: string) => `cell ${name}`

/** What the address names, as the kernel takes it. Throws MixlabError `store` for an unknown run. */
export async function referenceOf(text: string, task: string): Promise<DataReference> {
  const [, run] = RUN.exec(text) ?? []
  if (run !== undefined) return { run: await host().showRun(run) }
  const [, of] = CELL.exec(text) ?? []
  if (of !== undefined) return { notebook: printNotebook(plainCells(useNotebook.getState().cells)), of }
  return { name: text, ...(task && { task }) }
}

/** Whether data are named as a cell does, so that a task and a recipe can be chosen for them. */
export function isNamed(text: string): boolean {
  return !RUN.test(text) && !CELL.test(text)
}

/** What the address names, in words. */
export function titleOf(text: string): string {
  const [, run] = RUN.exec(text) ?? []
  const [, of] = CELL.exec(text) ?? []
  if (run !== undefined) return `Data of run ${run}`
  return of === undefined ? text : `Data of ${of}`
}

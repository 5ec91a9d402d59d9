import * as tf from '@tensorflow/tfjs'
import { beforeAll, expect, it } from 'vitest'
import { openStore } from '../../app/store/index.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import { parseNotebook, printNotebook } from '../../engine/notebook/index.ts'
import { useSimd } from '../engine/backends/simd/setup.ts'
import { architectures } from '../engine/models/tiny.ts'
import { fusesMultiplyAdd } from '../lock/fuses.ts'
import { bitsOf, NOTEBOOK, nameOf, numericsOf, shortKey } from '../lock/runs.ts'
import { BITS_CHANGED, changed, KEY_CHANGED, type Row, type Rows, RUNS, readTable } from '../lock/table.ts'
import { LONG } from '../long.ts'
import { openNotebook, status } from './workbench.ts'

/** The cells that the page trains; the whole table takes minutes there. */
const PAGE = printNotebook(parseNotebook(NOTEBOOK).filter(({ id }) => ['common', 'page', 'own-tasks'].includes(id)))

let fuses = false
beforeAll(async () => {
  tf.enableProdMode() // without its banner
  await useSimd()
  fuses = await fusesMultiplyAdd()
})

/** The rows of the finished runs of a workspace, by name. */
function rowsIn(workspace: string): Rows {
  const store = openStore(openWorkspace(workspace))
  try {
    const rows = store.listRuns({ status: 'done' }).map((run): [string, Row] => {
      const metrics = Object.keys(run.metrics).flatMap((name) =>
        store
          .readSeries([run.id], name)
          .flatMap(({ steps, values }) => steps.map((step, i) => ({ name, step, value: values[i] as number }))),
      )
      const { spec } = store.showRun(String(run.id)) as { spec: Record<string, unknown> }
      return [nameOf(run), [numericsOf({ spec }), shortKey(run), bitsOf(metrics, store.readWeights(run.id))]]
    })
    return Object.fromEntries(rows)
  } finally {
    store.close()
  }
}

it.runIf(LONG)('trains to the locked bits in the page', async ({ skip }) => {
  skip(!fuses, 'this machine does not fuse relaxed multiply-adds: its bits are its own')
  const { workspace, server, page, troubles } = await openNotebook(PAGE)
  await page.getByTestId('run-all').click()
  for (const cell of ['page', 'own-tasks']) await expect.poll(() => status(page, cell)).toBe('done')
  server.process.kill('SIGTERM')

  const table = readTable<Rows>(RUNS)
  const rows = rowsIn(workspace)
  expect(Object.keys(rows).filter((name) => name.startsWith('image adamw / '))).toHaveLength(architectures.length)
  expect(changed(table, rows, 1), KEY_CHANGED).toEqual([])
  expect(changed(table, rows, 2), BITS_CHANGED).toEqual([])
  expect(troubles).toEqual([])
})

import type { BackendName } from '../../../engine/backends/types.ts'
import { callsOf, make } from '../../../engine/call.ts'
import { messageOf } from '../../../engine/errors.ts'
import { kernelCalls, type StartedCell } from '../../../engine/host.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import { lostVariant } from '../../../engine/study/failures.ts'
import { analyzeCells } from '../../analysis/analysis.ts'
import { host } from '../../host/state.ts'
import { cellError } from '../../protocol/error.ts'
import type { EvaluateRequest, EvaluateResult, PageCalls } from '../../protocol/kernel.ts'
import { type CellOutputView, EMPTY_OUTPUT, parseOutput } from '../../protocol/output.ts'
import { startKernel } from '../kernel/client.ts'
import { noteSelfTest, selfTestCases, selfTested } from '../kernel/selfTests.ts'
import { inNotebook, shownAfter } from '../kernel/shown.ts'
import { schedule } from '../schedule.ts'

/** One cell at a time is continued beside the open notebook. */
let busy = false

/**
 * Goes on with a cell of a notebook that is not open here, in a kernel of its own, if its code has not changed and nobody
 * else takes it. Pages that show the notebook see it as they see what other pages run.
 */
export async function continueBeside(started: StartedCell): Promise<void> {
  if (busy) return
  busy = true
  try {
    const { text } = await host().readNotebook(started.notebook)
    const cells = parseNotebook(text)
    const facts = await analyzeCells(cells)
    const same = facts.cells.find(({ id }) => id === started.cell)?.fingerprint === started.fingerprint
    if (same && (await host().takeStarted(started.notebook, started.cell))) {
      await run(started, (id, train) => ({ cells, facts, id, train, atOnce: started.atOnce, plans: started.plans }))
    }
  } catch {
    // The notebook is gone, or the host; who opens it is asked.
  } finally {
    busy = false
  }
}

async function run(started: StartedCell, request: (id: string, train: boolean) => EvaluateRequest): Promise<void> {
  const { notebook, cell, source, fingerprint } = started
  const stored = (await host().readOutputs(notebook)).find((each) => each.cell === cell)
  let output: CellOutputView = { ...EMPTY_OUTPUT, source, studies: parseOutput(stored?.output)?.studies ?? [] }
  const write = () => host().writeOutput(notebook, { cell, fingerprint, output })
  const page: PageCalls = {
    ...callsOf(kernelCalls, (name, given) => make(host(), name, given)),
    beginRun: (begun) => host().beginRun(inNotebook(begun, notebook)),
    print(id, lines) {
      if (id === cell) output = { ...output, console: [...output.console, ...lines] }
    },
    show(id, values) {
      if (id === cell) output = { ...output, displays: [...output.displays, ...values] }
    },
    study(_, study, events) {
      output = shownAfter(output, study, events)
      if (events.some(({ type }) => type === 'plan' || type === 'begin')) void write().catch(() => {})
    },
    memory() {},
    lost: (why) => kernel.kill(why),
    ...{ selfTested, noteSelfTest, selfTestCases },
  }
  const kernel = startKernel(page, started.backend as BackendName | null, () => {})
  const since = performance.now()
  let result: EvaluateResult
  try {
    await kernel.started
    const { cells: _, ...own } = request(cell, true)
    for (const { id, wanted } of schedule(own.facts, {}, [cell])) if (!wanted) await evaluate(id)
    result = await kernel.evaluate(request(cell, true))
  } catch (error) {
    result = { value: null, error: cellError(error, cell), studies: [], interrupted: false }
  } finally {
    kernel.kill('it has ended')
  }
  const { value, error, interrupted } = result
  const failed = error !== null || output.studies.some((study) => lostVariant(study.runs))
  const ended = interrupted ? 'interrupted' : failed ? 'failed' : 'done'
  output = { ...output, ended, value, error, ms: performance.now() - since }
  await write()
  await host().endStarted(notebook, cell)

  async function evaluate(id: string): Promise<void> {
    const { error: broken } = await kernel.evaluate(request(id, false))
    if (broken) throw new Error(`depends on '${id}', which failed: ${messageOf(broken)}`)
  }
}

import * as tf from '@tensorflow/tfjs'
import type { OpenedCard } from '../../engine/backends/webgpu/card.ts'
import { registerWebGpu } from '../../engine/backends/webgpu/register.ts'
import type { DispatchTime } from '../../engine/backends/webgpu/timing.ts'
import type { Configuration } from '../../engine/bench/configurations.ts'
import { type OwnBench, prepare } from '../../engine/bench/step.ts'
import { MixlabError } from '../../engine/errors.ts'
import { type Asked, counted } from './counted.ts'
import { medianAndLeast, type Times } from './times.ts'

/** How a model trains on the card. */
export type Style = 'program' | 'stock tfjs'

/** A training step on a graphics card. */
export interface CardRow {
  configuration: string
  style: Style
  /** Milliseconds of a step, many in a row. */
  step: Times
  /** Milliseconds until JavaScript has said what is to be done in one. */
  script: Times
  /** What one step asks of the card. */
  asked: Asked
  /** What each kind of dispatch takes, longest first; null without timestamps. */
  dispatches: DispatchTime[] | null
}

/** Steps that are not timed, and steps in a row. */
const [WARM_UP, ROW] = [3, 10]

/** Measures a configuration in one style; `open` opens the card anew. */
export async function measureCard(
  configuration: Configuration,
  style: Style,
  rounds: number,
  open: () => Promise<OpenedCard>,
): Promise<CardRow> {
  const asked = await onCard(open, configuration, style, async (bench, total) => {
    await bench.train()
    const before = { ...total }
    await bench.begin()
    const one = difference(total, before)
    await bench.many(0)
    return one
  })
  return onCard(open, configuration, style, async (bench) => {
    const timed = async (run: () => Promise<unknown>, before: () => Promise<unknown>, per: number): Promise<Times> => {
      const all: number[] = []
      for (let i = 0; i < rounds; i++) {
        await before()
        const begun = performance.now()
        await run()
        all.push((performance.now() - begun) / per)
      }
      return medianAndLeast(all)
    }
    const nothing = async () => {}
    const script = await timed(bench.begin, bench.train, 1)
    await bench.train()
    const step = await timed(() => bench.many(ROW), nothing, ROW)
    const dispatches = await bench.profile()
    return { configuration: configuration.name, style, step, script, asked, dispatches }
  })
}

/** Runs `body` with a bench on a card of its own, after some steps, and with what is asked of the card. */
async function onCard<T>(
  open: () => Promise<OpenedCard>,
  configuration: Configuration,
  style: Style,
  body: (bench: OwnBench, total: Asked) => Promise<T>,
): Promise<T> {
  const total: Asked = { buffers: 0, submits: 0, dispatches: 0 }
  const card = await open()
  registerWebGpu(async () => ({ ...card, device: counted(card.device, total) }))
  if (!(await tf.setBackend('webgpu'))) throw new MixlabError('backend', '--backend', "'webgpu' does not start here")
  const bench = prepare(configuration, { program: style === 'program' })
  try {
    for (let i = 0; i < WARM_UP; i++) await bench.train()
    return await body(bench, total)
  } finally {
    bench.dispose()
  }
}

function difference(after: Asked, before: Asked): Asked {
  return {
    buffers: after.buffers - before.buffers,
    submits: after.submits - before.submits,
    dispatches: after.dispatches - before.dispatches,
  }
}

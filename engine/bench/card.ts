import * as tf from '@tensorflow/tfjs-core'
import type { OpenedCard } from '../backends/webgpu/card.ts'
import { registerWebGpu } from '../backends/webgpu/register.ts'
import type { DispatchTime } from '../compile/training.ts'
import { MixlabError } from '../errors.ts'
import type { Configuration } from './configurations.ts'
import { countingDevice, type GpuUsage } from './countingDevice.ts'
import { type OwnBench, prepare } from './step.ts'
import { medianAndLeast, type Times } from './times.ts'

/** How a model trains on the card: as one program a step, or operation by operation with the kernels of tfjs. */
const STYLES = {
  program: { backend: 'webgpu', program: true },
  'stock webgpu': { backend: 'webgpu', program: false },
  'stock webgl': { backend: 'webgl', program: false },
} as const

export type Style = keyof typeof STYLES

/** A training step on a graphics card. */
export interface CardRow {
  configuration: string
  style: Style
  /** Milliseconds of a step, several in a row where they are short. */
  step: Times
  /** Milliseconds until JavaScript has said what is to be done in one. */
  script: Times
  /** What one step asks of the card; null on WebGL. */
  asked: GpuUsage | null
  /** What each kind of dispatch takes, longest first; null without timestamps. */
  dispatches: DispatchTime[] | null
}

/** Steps that are not timed, steps in a row, and milliseconds that a row is to take. */
const [WARM_UP, MOST, ROW] = [3, 10, 500]

/** Measures a configuration in one style; `open` opens the card anew. Throws MixlabError `backend` without such a card. */
export async function measureCard(
  configuration: Configuration,
  style: Style,
  rounds: number,
  open: () => Promise<OpenedCard>,
): Promise<CardRow> {
  const asked = await withCardBench(open, configuration, style, async (bench, total) => {
    await bench.train()
    const before = { ...total }
    await bench.begin()
    const one = difference(total, before)
    await bench.many(0)
    return one
  })
  return withCardBench(open, configuration, style, async (bench) => {
    const timed = async (run: () => Promise<unknown>, before: () => Promise<unknown>): Promise<number[]> => {
      const all: number[] = []
      for (let i = 0; i < rounds; i++) {
        await before()
        const begun = performance.now()
        await run()
        all.push(performance.now() - begun)
      }
      return all
    }
    const script = await timed(bench.begin, bench.train)
    const begun = performance.now()
    await bench.train()
    const count = Math.min(MOST, Math.max(1, Math.round(ROW / (performance.now() - begun))))
    const rows = await timed(
      () => bench.many(count),
      async () => {},
    )
    return {
      configuration: configuration.name,
      style,
      step: medianAndLeast(rows.map((ms) => ms / count)),
      script: medianAndLeast(script),
      asked: style === 'stock webgl' ? null : asked,
      dispatches: await bench.profile(),
    }
  })
}

/** Billions of floating-point operations a second of all dispatches that multiply matrices; null without timestamps. */
export function productRate(dispatches: DispatchTime[] | null): number | null {
  const products = dispatches?.filter(({ operations }) => operations > 0) ?? []
  const ms = products.reduce((sum, each) => sum + each.ms, 0)
  return ms > 0 ? products.reduce((sum, each) => sum + each.operations, 0) / ms / 1e6 : null
}

/** Runs `body` with a bench on a card of its own, after some steps, and with what is asked of the card. */
async function withCardBench<T>(
  open: () => Promise<OpenedCard>,
  configuration: Configuration,
  style: Style,
  body: (bench: OwnBench, total: GpuUsage) => Promise<T>,
): Promise<T> {
  const { backend, program } = STYLES[style]
  const total: GpuUsage = { buffers: 0, submits: 0, dispatches: 0 }
  if (backend === 'webgpu') {
    const card = await open()
    registerWebGpu(async () => ({ ...card, device: countingDevice(card.device, total) }))
  }
  if (!(await tf.setBackend(backend))) throw new MixlabError('backend', '--backend', `'${backend}' does not start here`)
  const bench = prepare(configuration, { program })
  try {
    for (let i = 0; i < WARM_UP; i++) await bench.train()
    return await body(bench, total)
  } finally {
    bench.dispose()
  }
}

function difference(after: GpuUsage, before: GpuUsage): GpuUsage {
  return {
    buffers: after.buffers - before.buffers,
    submits: after.submits - before.submits,
    dispatches: after.dispatches - before.dispatches,
  }
}

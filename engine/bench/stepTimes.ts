import * as tf from '@tensorflow/tfjs-core'
import type { StepTimeRow } from '../charts/stepTimes.ts'
import { type CostSizes, formulas, SLOTS } from '../cost/formulas.ts'
import { messageOf } from '../errors.ts'
import { externalUnit, gmlp, mixer, resmlp, vit } from '../models/index.ts'
import type { Block } from '../nn/types.ts'
import { prepare } from './step.ts'
import { medianAndLeast } from './times.ts'

/** The block that costs what a formula says, at a width. */
const blocks: Record<string, (width: number) => Block> = {
  gMLP: () => gmlp({ ffnRatio: 6 }),
  'MLP-Mixer': () => mixer({ ffnRatio: 4 }),
  ResMLP: () => resmlp({ ffnRatio: 4 }),
  Transformer: (width) => vit({ ffnRatio: 4, heads: width % 4 === 0 ? 4 : 1 }),
  'external attention': () => externalUnit({ slots: SLOTS }),
}

/** Of the size in the middle. */
const FACTORS = [1 / 4, 1 / 2, 1, 2, 4]
const CLASSES = 10
const MOST_STEPS = 5
/** A model is timed no longer than that once it has a time, in ms. */
const LONG = 400

export interface StepTimesRequest {
  at: CostSizes
  /** The size that changes. */
  axis: keyof CostSizes
  /** Examples of a step. */
  batch: number
  /** Milliseconds after which no model is begun. */
  budget: number
}

export interface MeasuredSteps {
  rows: StepTimeRow[]
  /** Models that were not measured, and why. */
  left: string[]
}

/**
 * Times training steps, with AdamW, of the blocks of the formulas around some sizes on the current backend: each model is
 * made with random values, does one step untimed and then up to 5, of which the median counts. The cheap ones come first, and
 * what by its formula would take longer than is left of the budget is not begun; of the first, one block says how long. `rest` lets other work go on between steps.
 */
export async function measureStepTimes(
  { at, axis, batch, budget }: StepTimesRequest,
  rest: () => Promise<void>,
): Promise<MeasuredSteps> {
  const begun = performance.now()
  const backend = tf.getBackend()
  const places = [...new Set(FACTORS.map((factor) => Math.max(1, Math.round(at[axis] * factor))))]
  const planned: Planned[] = places
    .flatMap((place) => {
      const sizes = { ...at, [axis]: place }
      return formulas.map(({ name, macs }) => ({ name, sizes, macs: sizes.depth * macs(sizes) }))
    })
    .sort((a, b) => a.macs - b.macs)
  const rows: StepTimeRow[] = []
  const left: string[] = []
  let msByMac = await msByMacOf(planned[0], batch, rest) // of a whole measurement, the last one's
  for (const { name, sizes, macs } of planned) {
    const what = `${name} at ${axis} ${sizes[axis]}`
    const from = performance.now()
    if (from - begun + msByMac * macs > budget) {
      left.push(what)
      continue
    }
    try {
      const ms = await timeSteps(name, sizes, batch, rest)
      rows.push({ model: name, sizes, ms, batch, backend, run: null, seed: 0 })
      // what does not grow with the model, as its making, says nothing of larger ones
      msByMac = (performance.now() - from) / macs
    } catch (error) {
      left.push(`${what} (${messageOf(error)})`)
    }
  }
  // in the order of the formulas, so that each has the same look beside their curves
  const byFormula = formulas.flatMap(({ name }) => rows.filter(({ model }) => model === name))
  return { rows: byFormula, left }
}

interface Planned {
  name: string
  sizes: CostSizes
  macs: number
}

/** Milliseconds by multiply-add that a measurement of a model takes at least, two steps, by one of its blocks; 0 where that tells nothing. */
async function msByMacOf(of: Planned | undefined, batch: number, rest: () => Promise<void>): Promise<number> {
  if (!of || of.sizes.depth === 1) return 0
  const ms = await timeSteps(of.name, { ...of.sizes, depth: 1 }, batch, rest).catch(() => 0)
  return (2 * ms * of.sizes.depth) / of.macs
}

/** The median milliseconds of a step. */
async function timeSteps(
  name: string,
  { tokens, width, depth }: CostSizes,
  batch: number,
  rest: () => Promise<void>,
): Promise<number> {
  const block = blocks[name]?.(width) as Block
  const sized: Block = { ...block, options: { ...block.options, dim: width, depth } }
  const input = [tokens, width]
  const bench = prepare({ name, block: sized, modality: 'features', input, outputs: CLASSES, batch })
  try {
    await bench.train()
    const from = performance.now()
    const times: number[] = []
    while (times.length < MOST_STEPS && (times.length === 0 || performance.now() - from < LONG)) {
      const start = performance.now()
      await bench.train()
      times.push(performance.now() - start)
      await rest()
    }
    return medianAndLeast(times)[0]
  } finally {
    bench.dispose()
  }
}

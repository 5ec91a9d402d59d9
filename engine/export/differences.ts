import { keyOf, uniform } from '../random.ts'
import { type Exact, type ExactMask, exactLogits } from './graph/float64.ts'
import type { TrainingGraph } from './graph/training.ts'

/** What is differentiated by the trained tensors of a graph: a weighted sum of its logits in training. */
export interface Differentiated {
  graph: TrainingGraph
  /** Passes through the model: what each reads, and the weights of its logits. */
  calls: { inputs: Map<string, Exact>; weights: Float32Array }[]
  masks: ExactMask[]
  /** Values of tensors that are not trained. */
  buffers: Map<string, Float32Array>
}

/** Values of trained tensors by name. */
export type Values = Map<string, Float32Array>

/** What central differences say of a gradient. */
export interface Differences {
  /** Random directions that were judged, each of many tensors. */
  directions: number
  /** The largest difference of a slope, as a share of what gradients of this size give. */
  difference: number
  /** The tensor whose gradient is wrong, of several the last, and the share by which it is off. */
  wrong: { name: string; off: number } | null
  /** Why nothing could be judged. */
  unjudged: string | null
}

/** A step is this share of the size of a tensor: in double precision so small that it meets no kink by chance. */
const STEP = 1e-6
/** The least size of a tensor, for one of zeros. */
const LEAST = 0.01
/** Tensors move together whose slopes are between two of these shares of the largest. */
const BANDS = [1, 1e-2, 1e-3, 0] as const
/** Below this share slopes are not brought to the same size. */
const SMALLEST = 1e-4
/** Directions of the first band, of the others, and of a tensor by itself. */
const [MANY, FEW, ALONE] = [2, 1, 4]
/** The share by which a slope may be off, and what rounding to float32 may make of a gradient, beside the largest slope. */
const [TOLERANCE, ROUNDING] = [2e-3, 2e-5]
/** An error is no error of a gradient where slopes to both sides differ by this share of it. */
const KINK = 0.1
/** Points that are tried where there are kinks, and how far they are from the first, as a share of the size of a tensor. */
const [POINTS, FAR] = [3, 1e-3]

/** A slope by central differences and by a gradient, for a step of `STEP`. */
interface Slope {
  exact: number
  claimed: number
  /** How far the slopes to both sides differ. */
  bend(): number
}

/**
 * Judges a gradient by central differences in double precision, along random directions. On a kink no gradient is the slope:
 * points nearby are judged instead, and `gradientsAt` gives the gradient there.
 */
export async function judgeGradients(
  by: Differentiated,
  values: Values,
  gradients: Values,
  gradientsAt: (values: Values) => Promise<Values>,
): Promise<Differences> {
  for (let i = 0; i < POINTS; i++) {
    const there = i === 0 ? values : nearby(values, i)
    const found = judgeAt(by, there, i === 0 ? gradients : await gradientsAt(there))
    if (found) return { directions: 0, difference: 0, wrong: null, unjudged: null, ...found }
  }
  const unjudged = 'at these weights and near them the slopes to both sides differ'
  return { directions: 0, difference: 0, wrong: null, unjudged }
}

/** Null on a kink. */
function judgeAt(by: Differentiated, values: Values, gradients: Values): Partial<Differences> | null {
  const { reach, most, slope } = slopesOf(by, values, gradients)
  if (!(most > 0)) return { unjudged: 'the loss of these examples has no gradient' }
  let [directions, difference] = [0, 0]
  for (const [band, high] of BANDS.slice(0, -1).entries()) {
    const low = BANDS[band + 1] as number
    const least = Math.max(low, SMALLEST) * most
    const names = inOrder(by.graph).filter((name) => {
      const own = reach.get(name)
      return own !== undefined && own >= low * most && (own < high * most || high === 1)
    })
    /** What is allowed, as a share of what a direction gives. */
    const allowed = Math.max(TOLERANCE, (ROUNDING * most) / least)
    const share = (name: string) => Math.min(1, least / (reach.get(name) as number))
    /** How far off a slope is, as a share of what these tensors give. */
    const tried = (some: string[], key: string) => {
      const found = slope(some, share, key)
      return { ...found, off: Math.abs(found.exact - found.claimed) / (STEP * least * Math.sqrt(some.length)) }
    }
    for (let i = 0; names.length > 0 && i < (band === 0 ? MANY : FEW); i++) {
      const found = tried(names, `${band}/${i}`)
      if (!Number.isFinite(found.exact)) return { unjudged: 'it is not finite in double precision' }
      directions++
      if (found.off <= allowed) {
        difference = Math.max(difference, low === 0 ? 0 : found.off)
        continue
      }
      if (found.bend() > KINK * Math.abs(found.exact - found.claimed)) return null
      // what is wrong in one place is wrong in all that gradients reach through it: the last tensor is the nearest to it
      let [wrong, right] = [0, names.length]
      while (right - wrong > 1) {
        const middle = (wrong + right) >> 1
        if (tried(names.slice(middle), `${band}/${i}`).off > allowed) wrong = middle
        else right = middle
      }
      const name = names[wrong] as string
      return { directions, difference: found.off, wrong: { name, off: shareOff(slope, name) } }
    }
  }
  return { directions, difference }
}

/** Whether two gradients of a tensor beside those of all others are as good as zero, and differ from its slope by rounding. */
export function isRounding(
  by: Differentiated,
  values: Values,
  gradients: Values,
  name: string,
  other: Float32Array,
): boolean {
  const { reach, most, slope, claimedBy } = slopesOf(by, values, gradients)
  const own = reach.get(name)
  if (own === undefined || own > SMALLEST * most) return false
  for (let i = 0; i < ALONE; i++) {
    const { exact, claimed } = slope([name], () => 1, `${i}`)
    const claims = [claimed, claimedBy(name, other, `${i}`)]
    if (claims.some((claim) => Math.abs(exact - claim) > ROUNDING * STEP * most)) return false
  }
  return true
}

/** How far the gradient of one tensor is off, from a few directions. */
function shareOff(slope: ReturnType<typeof slopesOf>['slope'], name: string): number {
  const slopes = Array.from({ length: ALONE }, (_, i) => slope([name], () => 1, `alone/${i}`))
  const norm = (of: (slope: Slope) => number) => Math.hypot(...slopes.map(of))
  return (
    norm(({ exact, claimed }) => exact - claimed) /
    Math.max(
      norm(({ exact }) => exact),
      norm(({ claimed }) => claimed),
    )
  )
}

/** The slopes at a point, and how far each tensor reaches: what a step of its size is expected to change. */
function slopesOf(by: Differentiated, values: Values, gradients: Values) {
  const sizes = new Map([...values].map(([name, own]) => [name, sizeOf(own)]))
  const reach = new Map([...gradients].map(([name, own]) => [name, (sizes.get(name) as number) * normOf(own)]))
  const most = Math.max(0, ...reach.values())
  let middle: Float64Array[] | null = null

  /** The steps of a tensor in a direction. */
  const stepsOf = (name: string, share: number, key: string) => {
    const step = STEP * share * (sizes.get(name) as number)
    const draws = keyOf(1, `differences/${key}/${name}`)
    return Float64Array.from(values.get(name) as Float32Array, (_, i) => (uniform(draws, i) < 0.5 ? -step : step))
  }
  const along = (steps: Float64Array, gradient: Float32Array) =>
    steps.reduce((sum, step, i) => sum + step * (gradient[i] as number), 0)
  const claimedBy = (name: string, gradient: Float32Array, key: string) => along(stepsOf(name, 1, key), gradient)

  function slope(names: string[], share: (name: string) => number, key: string): Slope {
    const steps = new Map(names.map((name) => [name, stepsOf(name, share(name), key)]))
    const claimed = names.reduce(
      (sum, name) => sum + along(steps.get(name) as Float64Array, gradients.get(name) as Float32Array),
      0,
    )
    const [above, below] = [logitsAt(by, values, steps, 1), logitsAt(by, values, steps, -1)]
    const summed = (of: (above: number, below: number, middle: number) => number) =>
      by.calls.reduce((sum, { weights }, call) => {
        const [a, b, m] = [above[call], below[call], middle?.[call]]
        return weights.reduce((all, w, i) => all + w * of(a?.[i] as number, b?.[i] as number, m?.[i] ?? 0), sum)
      }, 0)
    return {
      exact: summed((a, b) => a - b) / 2,
      claimed,
      bend: () => {
        middle ??= logitsAt(by, values, new Map(), 0)
        return Math.abs(summed((a, b, m) => a - m - (m - b)))
      },
    }
  }

  return { reach, most, slope, claimedBy }
}

/** The logits of each call, with tensors moved by steps. */
function logitsAt(by: Differentiated, values: Values, steps: Map<string, Float64Array>, sign: number): Float64Array[] {
  const { graph, calls, masks, buffers } = by
  const tensors = graph.tensors.map(({ name, shape }): [string, Exact] => {
    const [own, step] = [(values.get(name) ?? buffers.get(name)) as Float32Array, steps.get(name)]
    return [name, { shape, values: Float64Array.from(own, (value, i) => value + sign * (step?.[i] ?? 0)) }]
  })
  return calls.map(({ inputs }) => exactLogits(graph, new Map([...inputs, ...tensors]), masks).values)
}

/** Trained tensors in the order in which the graph reads them. */
function inOrder({ nodes }: TrainingGraph): string[] {
  return [...new Set(nodes.flatMap(({ inputs }) => inputs.map(({ name }) => name)))]
}

/** The typical size of a value. */
function sizeOf(values: Float32Array): number {
  return Math.max(LEAST, normOf(values) / Math.sqrt(values.length))
}

const normOf = (values: Float32Array) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))

function nearby(values: Values, point: number): Values {
  return new Map(
    [...values].map(([name, own]) => {
      const [key, far] = [keyOf(point, `nearby/${name}`), FAR * sizeOf(own)]
      return [name, own.map((value, i) => value + far * (2 * uniform(key, i) - 1))]
    }),
  )
}

import { keyOf, uniform } from '../random.ts'
import { type Exact, type ExactMask, exactLogits } from './graph/float64.ts'
import type { TrainingGraph } from './graph/training.ts'

/** What is differentiated by the trained tensors of a graph: a weighted sum of its logits in training. */
export interface Differentiated {
  graph: TrainingGraph
  /** Passes through the model: what each reads, the weights of its logits, and its logits in single precision. */
  calls: { inputs: Map<string, Exact>; weights: Float32Array; logits: Float32Array }[]
  masks: ExactMask[]
  /** Values of tensors that are not trained. */
  buffers: Map<string, Float32Array>
}

/** Values of trained tensors by name. */
export type Values = Map<string, Float32Array>

/** What central differences say of a gradient. */
export interface Differences {
  /** The difference of a slope along a random direction of all tensors, as a share of what gradients of this size give. */
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
/** Directions in which a tensor is moved by itself. */
const ALONE = 4
/** Together, tensors whose slopes are larger than this share of the largest move by less, so that all count alike. */
const ALIKE = 1e-4
/** What rounding to float32 may make of the gradient of a tensor, as a share of the largest slope. */
const ROUNDING = 5e-6
/** What rounding in double precision makes of a logit, as a share of it. */
const EXACT = 1e-15
/** A slope of this share of what a gradient so small says is none: what the gradient has is rounding. */
const ZERO = 0.1
/** The share by which a slope may be off, of all tensors together and of one by itself. */
const TOLERANCE = 5e-3
/** The same of tensors whose slopes are small, in which there is more rounding. */
const SMALL_TOLERANCE = 0.05
/** An error is no error of a gradient where slopes to both sides differ by this share of it. */
const KINK = 0.1
/** Points that are tried where there are kinks, and how far they are from the first, as a share of the size of a tensor. */
const [POINTS, FAR] = [3, 1e-3]

/** The share of the largest logit by which logits of both precisions may differ. */
const SAME = 1e-3

/** A slope by central differences and by a gradient, for a step of `STEP`. */
interface Slope {
  exact: number
  claimed: number
  /** How far the slopes to both sides differ. */
  bend(): number
  /** The logits of each call. */
  logits: Float64Array[]
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
    const found = judgeAt(by, there, i === 0 ? gradients : await gradientsAt(there), i === 0)
    if (found) return { difference: 0, wrong: null, unjudged: null, ...found }
  }
  const unjudged = 'at these weights and near them the slopes to both sides differ'
  return { difference: 0, wrong: null, unjudged }
}

/** Null on a kink. `known` says whether the logits of the calls are those at these values. */
function judgeAt(by: Differentiated, values: Values, gradients: Values, known: boolean): Partial<Differences> | null {
  const { reach, most, slope } = slopesOf(by, values, gradients)
  if (!(most > 0)) return { unjudged: 'the loss of these examples has no gradient' }
  const reachOf = (name: string) => reach.get(name) as number
  const weight = by.calls.reduce((sum, { weights }) => weights.reduce((all, w) => all + Math.abs(w), sum), 0)

  /** Judges tensors together; then those that count for too little beside the largest of them, which is `largest`. */
  function judge(names: string[], largest: number): Partial<Differences> | null {
    const share = (name: string) => Math.min(1, (ALIKE * largest) / reachOf(name))
    const allowed = largest === most ? TOLERANCE : SMALL_TOLERANCE
    /** How far off a slope of some tensors is, as a share of what a gradient like this gives. */
    const tried = (some: string[]) => {
      const found = slope(some, share, 'together')
      const size = STEP * Math.hypot(...some.map((name) => share(name) * reachOf(name)))
      return { ...found, size, off: Math.abs(found.exact - found.claimed) / Math.max(size, STEP * ALIKE * largest) }
    }
    const { exact, claimed, bend, off, logits } = tried(names)
    if (!Number.isFinite(exact)) return { unjudged: 'in double precision the logits are not finite' }
    const apart = known ? Math.max(...by.calls.map((call, i) => apartIn(call.logits, logits[i] as Float64Array))) : 0
    if (apart > SAME) {
      return { unjudged: `in double precision the logits differ by ${Number((100 * apart).toPrecision(2))}%` }
    }
    if (off > allowed) {
      if (bend() > KINK * Math.abs(exact - claimed)) return null
      // what is wrong in one place is wrong in all that gradients reach through it: the last tensor is the nearest to it
      let [first, right] = [0, names.length]
      while (right - first > 1) {
        const middle = (first + right) >> 1
        if (tried(names.slice(middle)).off > allowed) first = middle
        else right = middle
      }
      for (const name of [names[first] as string, ...names.toReversed()]) {
        const alone = shareOff(slope, name, ROUNDING * STEP * largest, reachOf(name) <= ROUNDING * most)
        if (alone > allowed) return { difference: off, wrong: { name, off: alone } }
      }
      if (largest === most) return { unjudged: 'all tensors together differ, and none by itself' }
    }
    if (largest < most) return { difference: off }
    const small = names.filter((name) => reachOf(name) > 0 && reachOf(name) < ALIKE * largest)
    const tiny = small.filter((name) => reachOf(name) <= ROUNDING * most)
    const rounded = tiny.length > 0 && isZero(tiny) ? tiny : []
    const left = small.filter((name) => !rounded.includes(name))
    const next = Math.max(0, ...left.map(reachOf))
    // below, the rounding of the logits themselves is as large
    const seen = logits.reduce((most, each) => each.reduce((a, b) => Math.max(a, Math.abs(b)), most), 0)
    if (STEP * ALIKE * next * SMALL_TOLERANCE < EXACT * seen * weight) return { difference: off }
    const found = judge(left, next)
    return found?.wrong ? found : { difference: off }
  }

  /** Whether nothing but rounding is in these gradients. */
  function isZero(names: string[]): boolean {
    return Math.abs(slope(names, () => 1, 'zero').exact) <= ZERO * STEP * Math.hypot(...names.map(reachOf))
  }

  return judge(
    inOrder(by.graph).filter((name) => reach.has(name)),
    most,
  )
}

/** The largest difference, as a share of the largest value. */
function apartIn(expected: Float32Array, found: Float64Array): number {
  const size = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return (
    expected.reduce((most, value, i) => Math.max(most, Math.abs(value - (found[i] as number))), 0) / Math.max(1, size)
  )
}

/**
 * Of some tensors those whose two gradients are as good as zero, beside all others, and differ from the slope by no more than
 * rounding: as that of a bias before a batch normalisation.
 */
export function roundingIn(
  some: string[],
  by: Differentiated,
  values: Values,
  gradients: Values,
  others: Values,
): string[] {
  const { reach, most, slope } = slopesOf(by, values, gradients)
  const around = slopesOf(by, values, others)
  const small = some.filter((name) => [reach, around.reach].every((each) => (each.get(name) ?? most) < ALIKE * most))
  const isZero = (names: string[]) => {
    const { exact, claimed } = slope(names, () => 1, 'zero')
    const claims = [claimed, around.claimed(names, () => 1, 'zero')]
    return claims.every((claim) => Math.abs(exact - claim) <= ROUNDING * STEP * most * Math.sqrt(names.length))
  }
  return small.length === 0 || isZero(small) ? small : small.filter((name) => isZero([name]))
}

/** How far the gradient of one tensor is off, from a few directions; 0 where it is by no more than rounding. */
function shareOff(
  slope: ReturnType<typeof slopesOf>['slope'],
  name: string,
  rounding: number,
  mayBeZero: boolean,
): number {
  const slopes = Array.from({ length: ALONE }, (_, i) => slope([name], () => 1, `${i}`))
  const norm = (of: (slope: Slope) => number) => Math.hypot(...slopes.map(of))
  const [error, exact] = [norm(({ exact, claimed }) => exact - claimed), norm(({ exact }) => exact)]
  const claimed = norm(({ claimed }) => claimed)
  if (error <= rounding * Math.sqrt(ALONE) || (mayBeZero && exact <= ZERO * claimed)) return 0
  return error / Math.max(exact, claimed)
}

/** The slopes at a point, and how far each tensor reaches: what a step of its size is expected to change. */
function slopesOf(by: Differentiated, values: Values, gradients: Values) {
  const sizes = new Map([...values].map(([name, own]) => [name, sizeOf(own)]))
  const reach = new Map([...gradients].map(([name, own]) => [name, (sizes.get(name) as number) * normOf(own)]))
  const most = Math.max(0, ...reach.values())
  let middle: Float64Array[] | null = null

  /** The steps of tensors in a direction. */
  const stepsOf = (names: string[], share: (name: string) => number, key: string) =>
    new Map(
      names.map((name) => {
        const step = STEP * share(name) * (sizes.get(name) as number)
        const draws = keyOf(1, `differences/${key}/${name}`)
        const own = values.get(name) as Float32Array
        return [name, Float64Array.from(own, (_, i) => step * signed(uniform(draws, i)))]
      }),
    )
  const along = (all: Map<string, Float64Array>) =>
    [...all].reduce((sum, [name, steps]) => {
      const gradient = gradients.get(name) as Float32Array
      return steps.reduce((sum, step, i) => sum + step * (gradient[i] as number), sum)
    }, 0)

  function slope(names: string[], share: (name: string) => number, key: string): Slope {
    const steps = stepsOf(names, share, key)
    const [above, below] = [logitsAt(by, values, steps, 1), logitsAt(by, values, steps, -1)]
    const summed = (of: (above: number, below: number, middle: number) => number) =>
      by.calls.reduce((sum, { weights }, call) => {
        const [a, b, m] = [above[call], below[call], middle?.[call]]
        return weights.reduce((all, w, i) => all + w * of(a?.[i] as number, b?.[i] as number, m?.[i] ?? 0), sum)
      }, 0)
    return {
      exact: summed((a, b) => a - b) / 2,
      claimed: along(steps),
      logits: above,
      bend: () => {
        middle ??= logitsAt(by, values, new Map(), 0)
        return Math.abs(summed((a, b, m) => a - m - (m - b)))
      },
    }
  }

  const claimed: (...given: Parameters<typeof stepsOf>) => number = (...given) => along(stepsOf(...given))
  return { reach, most, slope, claimed }
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

/** From 0 to 1 to a direction of either sign, none near zero, and few the same: equal ones could cancel out. */
const signed = (draw: number) => (draw < 0.5 ? 2 * draw - 1.5 : 2 * draw - 0.5)

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

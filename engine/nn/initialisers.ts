import { type Key, normal as normalDraw, uniform as uniformDraw } from '../random.ts'

/** The number of inputs and outputs that one unit of a layer sees. */
export interface Fans {
  in: number
  out: number
}

/**
 * The `size` values of a new parameter; the draw `i` of the stream `key` decides value `i`. They may be written into `into`,
 * where the backend will have them, which is returned then.
 */
export type Initialiser = (size: number, fans: Fans, key: Key, into?: Float32Array) => Float32Array

/** An initialiser whose value `i` is `valueAt(i, fans, key)`. */
const each =
  (valueAt: (i: number, fans: Fans, key: Key) => number): Initialiser =>
  (size, fans, key, into = new Float32Array(size)) => {
    for (let i = 0; i < size; i++) into[i] = valueAt(i, fans, key)
    return into
  }

export const constant =
  (value: number): Initialiser =>
  (size, _fans, _key, into = new Float32Array(size)) =>
    into.fill(value)

export const zeros: Initialiser = constant(0)
export const ones: Initialiser = constant(1)

export const normal = (std: number): Initialiser => each((i, _fans, key) => std * normalDraw(key, i))

/** N(0, 1e-6): the spatial projection of gMLP starts as (almost) the identity gate. */
export const nearZero: Initialiser = normal(1e-6)

export const uniform = (bound: number): Initialiser => each((i, _fans, key) => bound * (2 * uniformDraw(key, i) - 1))

/** U(+-sqrt(6 / (in + out))), Glorot and Bengio 2010. */
export const xavierUniform: Initialiser = (size, fans, ...rest) =>
  uniform(Math.sqrt(6 / (fans.in + fans.out)))(size, fans, ...rest)

/** The standard deviation of a normal cut off at 2 sigma, by which the draw is rescaled. */
const TRUNCATED_STD = 0.87962566103423978

/** Variance 1 / in, truncated at 2 sigma: the default of Flax. */
export const lecunNormal: Initialiser = (size, fans, ...rest) => {
  const std = Math.sqrt(1 / fans.in) / TRUNCATED_STD
  return each((i, _fans, key) => std * truncatedDraw(key, i))(size, fans, ...rest)
}

/** A normal draw within 2 sigma, by rejection; counters of retries lie beyond those of any parameter. */
export function truncatedDraw(key: Key, counter: number): number {
  for (let attempt = 0; ; attempt++) {
    const draw = normalDraw(key, counter + attempt * 2 ** 40)
    if (Math.abs(draw) <= 2) return draw
  }
}

/** N(0, sqrt(2 / out)): He et al. 2015, mode fan-out, as ResNets are initialised. */
export const kaimingNormal: Initialiser = (size, fans, ...rest) => normal(Math.sqrt(2 / fans.out))(size, fans, ...rest)

/** U(+-1 / sqrt(in)), for weight and bias: what PyTorch's Linear and Conv2d start from. */
export const torchDefault: Initialiser = (size, fans, ...rest) => uniform(1 / Math.sqrt(fans.in))(size, fans, ...rest)

/** Fixed sine and cosine positions for tables `[tokens, dim]` (Vaswani et al. 2017, section 3.5). */
export const sinusoid = (dim: number): Initialiser =>
  each((i) => {
    const [position, channel] = [Math.floor(i / dim), i % dim]
    const angle = position / 10000 ** ((2 * Math.floor(channel / 2)) / dim)
    return channel % 2 === 0 ? Math.sin(angle) : Math.cos(angle)
  })

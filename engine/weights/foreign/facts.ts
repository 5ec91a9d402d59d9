import type { Activation } from '../../nn/layers/activation.ts'

/** What the tensors of a published model of pictures do not say of it. */
export interface Facts {
  heads?: number | undefined
  activation?: Activation | undefined
  /** Of the norms; those in the gates of gMLP have their own. */
  eps?: number | undefined
  gateEps?: number | undefined
  /** What stands for the whole picture. */
  pool?: 'token' | 'mean' | undefined
  /** Height and width of a picture, in pixels. */
  size?: readonly [height: number, width: number] | undefined
  /** Of pixels from 0 to 1: one for all channels, or one for each. */
  mean?: readonly number[] | undefined
  deviation?: readonly number[] | undefined
  /** Whether the channels come in the order blue, green, red. */
  bgr?: boolean | undefined
  /** The share of the sides that is cut out of the middle, after resizing. */
  crop?: number | undefined
  /** Whether pictures of another shape are distorted to the size, nothing being cut off. */
  squash?: boolean | undefined
  labels?: readonly string[] | undefined
}

/** The options of the command line that say them. */
export const OPTIONS: Record<keyof Facts, string> = {
  ...{ heads: '--heads', activation: '--activation', eps: '--eps', gateEps: '--gate-eps', pool: '--pool' },
  ...{ size: '--size', mean: '--mean', deviation: '--std', bgr: '--bgr', crop: '--crop', squash: '--squash' },
  labels: '--labels',
}

/** Sizes that a configuration repeats, which show whether it is of the same model as the tensors. */
export interface Sizes {
  dim?: number | undefined
  depth?: number | undefined
  ffn?: number | undefined
  patch?: readonly [height: number, width: number] | undefined
  channels?: number | undefined
}

/** What a configuration says, or the names of tensors do. */
export interface Configuration {
  facts: Facts
  sizes: Sizes
  /** The name of the whole in timm. */
  architecture?: string | undefined
  /** What is done otherwise here. */
  notes: string[]
}

export const NOTHING: Configuration = { facts: {}, sizes: {}, notes: [] }

/** Those of `facts` that are known, over those of `others`. */
export function over(facts: Facts, others: Facts): Facts {
  return { ...others, ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) }
}

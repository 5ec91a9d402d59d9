import { softmax } from '../evaluate/softmax.ts'

/** What a model holds likely, most likely first. */
export interface Answer {
  /** The place in a text that this is for, where there are several; counted from 1. */
  place?: number
  likely: Likely[]
  /** Of a model of pixels. */
  mask?: Mask
  /** Of a model that forecasts: the values of each channel at each step to come. */
  forecast?: number[][]
  /** What of the question was left out. */
  note?: string
}

/** The class of each pixel of a picture. */
export interface Mask {
  height: number
  width: number
  /** Of each pixel the number of its class, row by row. */
  pixels: Uint8Array
  classes: string[]
}

export interface Likely {
  /** A class, a token, or a part of a passage. */
  name: string
  /** Of the class of a pixel, the share of the pixels that have it. */
  probability: number
}

/** Those of the largest logits, `[choices]`, with their probability among all. */
export function likeliest(logits: Float32Array, top: number, nameOf: (i: number) => string): Likely[] {
  const probability = softmax(logits)
  return Array.from(logits.keys())
    .sort((a, b) => (logits[b] as number) - (logits[a] as number))
    .slice(0, top)
    .map((i) => ({ name: nameOf(i), probability: probability(i) }))
}

import type { Tensor } from '@tensorflow/tfjs-core'
import type { Activation } from './layers/activation.ts'
import type { DropoutRates } from './layers/dropout.ts'
import type { Patch } from './layers/patchEmbed.ts'
import type { TextExtras } from './model.ts'
import type { TokenGrid } from './scope.ts'

/** The sizes that a block gets, with its own options beside them. */
export interface Size {
  patch: Patch
  dim: number
  depth: number
  ffn: number
  /** ffn / dim as it was given, for blocks that apply it to another axis too. */
  ffnRatio: number
  dropPath: number
  dropPathDecay: 'constant' | 'linear'
  dropout: DropoutRates
  eps: number
  activation: Activation
  /** What the model reads. */
  modality?: Modality
}

/** What stands for a whole text: `[batch, tokens, dim]` to `[batch, dim]`. */
export type TextPool = (x: Tensor) => Tensor

/** What a model reads: images `[batch, h, w, c]`, token ids `[batch, tokens]`, features as points `[batch, tokens, d]`. */
export type Modality = 'image' | 'text' | 'features'

/** How a model begins and ends around its blocks. */
export interface Frame<Options = object> {
  /** From the input to `[batch, tokens, dim]`; `inputs` is the vocabulary of a text model. */
  stem(input: Tensor, size: Size & Options, inputs: number, extras: TextExtras): Tensor
  /** From `[batch, tokens, dim]` to logits with `outputs` classes, or as many as the vocabulary. */
  head(x: Tensor, size: Size & Options, outputs: number): Tensor
  /** Text only, as `head`, to logits `[batch, classes]` of the whole text; as in frame.ts by default. */
  classHead?(x: Tensor, size: Size & Options, classes: number, pool: TextPool): Tensor
  /** Text only, as `head`, to logits `[batch, tokens, 2]` of where an answer starts and ends; likewise. */
  spanHead?(x: Tensor, size: Size & Options): Tensor
  /** Where the parameters of block `i` are; `blocks.<i>` by default. `index` counts the blocks of a stage, from 0. */
  path?(i: number, at: { stage: number; index: number }): string
  /** Where the parameters are of what merges the patches before a stage; `merges.<stage - 1>` by default. */
  mergePath?(stage: number): string
}

/** Where a block stands in its model; a block that has an option of such a name gets that instead. */
export interface Place {
  /** Which of the `depth` blocks of the model it is, from 0. */
  layer: number
  /** How many tokens it gets. */
  tokens: number
  /** Rows and columns of patches that these are; null where they are no grid. */
  grid: TokenGrid | null
}

/** From `x`, `[batch, tokens, dim]`, to the same shape. */
export type BlockFunction<Options = object> = (x: Tensor, size: Size & Omit<Place, keyof Options> & Options) => Tensor

/** What begins and ends a model around its blocks, where an architecture has its own, by what it reads. */
export type Frames<Options = object> = Partial<Record<Modality, Frame<Options>>>

/** How a model begins, made by `stem()`: as the stem of a frame, or to `[batch, rows, columns, dim]`. */
export interface Stem {
  readonly kind: 'stem'
  readonly stemName: string
  readonly run: Frame['stem']
}

/** How a model ends, made by `head()`: from `[batch, tokens, dim]` to logits, whichever its task asks for. */
export interface Head {
  readonly kind: 'head'
  readonly headName: string
  /** `pool` is there for logits of a whole text. */
  readonly run: (x: Tensor, size: Size, outputs: number, pool?: TextPool) => Tensor
}

/** How the models of a task end: from `[batch, tokens, dim]` to predictions, whose last axis the task wants to have `outputs`. */
export type OutputHead = (x: Tensor, size: Size, outputs: number) => Tensor

/** A stem and a head that stand for those of a frame. */
export interface OwnEnds {
  readonly stem?: Stem | undefined
  readonly head?: Head | undefined
}

/**
 * What stands before the blocks of a stage: how many patches become one, as `patchMerge` does it, or a function from
 * `[batch, tokens, width]` to `[batch, tokens, dim]` or `[batch, rows, columns, dim]`.
 */
export type Merge = Patch | ((x: Tensor, size: Size & Place) => Tensor)

/** Some of the blocks of a model, one after the other: as many as their `depth` says. */
export interface Part {
  readonly block: Block
  /** What comes before them; null for nothing. */
  readonly merge: Merge | null
}

/** A model of several sorts of blocks: its parts in order, and whether these are repeated up to `depth`. */
export interface Parts {
  readonly list: readonly Part[]
  readonly repeats: boolean
}

/** A stage of a block that stands for a whole pyramid; what is undefined in it is an error of who gave the options. */
export interface BlockStage {
  /** With the options that it has in this stage. */
  block: Block
  depth: number | undefined
  dim: number | undefined
  /** Not used before the first stage. */
  merge: Merge
}

/** What a block has beside its function: its frames, and its number. */
export interface Around<Options = object> extends Frames<Options> {
  /** Of a block that stands for a whole pyramid: its stages by its options. Its own function never runs. */
  stages?: (options: Options) => BlockStage[]
  /**
   * Of a built-in block: raised whenever a change of its file changes the numbers of its runs, which are then trained
   * again, as are those of blocks made of its function. 1 by default.
   */
  numerics?: number
  /** Of a built-in block: the sizes at which alone its numbers have changed. Runs of these have the next number. */
  changedAt?: (size: Size & Options) => boolean
}

/** A block as a variant of a study. */
export interface Block {
  readonly kind: 'block'
  readonly blockName: string
  /** Values for options that neither the study nor the variant gives. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** What the variant gives. */
  readonly options: Readonly<Record<string, unknown>>
  /** The block as it was defined, before options were given. */
  readonly origin: Block
  run(x: Tensor, size: Size): Tensor
  readonly frames: Frames
  /** The stem and head that it was given instead of those of its frames. */
  readonly ends: OwnEnds
  /** What it is made of, where it stands for several sorts of blocks; see stack.ts. */
  readonly parts: Parts | null
  /** The stages of a pyramid, by its size; null where all its blocks are alike. */
  readonly stages: ((size: Size) => BlockStage[]) | null
  /** Its own `numerics` number and the number of the block whose function it uses, added up from 1; 1 is not in the key. */
  readonly numerics: number
  /** Whether runs of a size have the next number. */
  readonly changedAt: ((size: Size) => boolean) | null
  /** Values of factors that were given to the function that defined it, by name. */
  readonly captured: Readonly<Record<string, string | number | boolean>>
}

import { z } from 'zod'
import { integer, type Key, keyOf, permutation } from '../../../random.ts'
import { checkIndices } from '../../indices.ts'
import { generatedCount, validationCountBeside } from '../../splits.ts'
import type { Planted, Split } from '../../types.ts'
import { draws, type WorldDraws } from './draws.ts'

/** Changes whenever an example would. */
export const VERSION = 1

export type SplitName = 'train' | 'validation' | 'test' | 'mismatched'

/** The options that all sorts of text of the world have; `train` and `test` are the defaults of their numbers. */
export const worldOptions = (train: number, test: number) =>
  z.strictObject({
    /** 0 has short and plain sentences, 1 long and tangled ones. */
    difficulty: z.number().min(0).max(1).default(0.5),
    /** Examples, or documents of running text, to train on; those to validate on are drawn beside them. */
    train: generatedCount.default(train),
    /** Examples, or documents of running text, to test on. */
    test: generatedCount.default(test),
    /** Another seed is another draw of all examples. */
    seed: z.int().min(0).default(0),
  })

/** The examples of a split, each from draws of its own. */
export interface ExampleSource {
  /** The label of an example: so many in a row as there are classes have every class once. */
  labelAt(index: number, classes: number): number
  /** Draws until the wording is one of the split. */
  drawAt<Example>(index: number, draw: (draws: WorldDraws) => Example, wording: (example: Example) => string): Example
}

/**
 * The source of a split of a sort of text, e.g. `pairs`. A fifth of all wordings, whatever the seed, belong to tests, and
 * a tenth to validation: no wording is in two of training, validation and tests.
 */
export function exampleSource(seed: number, sort: string, split: SplitName): ExampleSource {
  const labels = keyOf(seed, `world/${VERSION}/${sort}/${split}/labels`)
  const examples = keyOf(seed, `world/${VERSION}/${sort}/${split}/examples`)
  const isOfSplit = (wording: string) => partOf(wording) === (split === 'mismatched' ? 'test' : split)
  return {
    labelAt: (index, classes) => {
      const turn = streamAt(labels, Math.floor(index / classes))
      return permutation(turn, classes)[index % classes] ?? 0
    },
    drawAt: (index, draw, wording) => {
      const own = draws(streamAt(examples, index))
      for (;;) {
        const example = draw(own)
        if (isOfSplit(wording(example))) return example
      }
    },
  }
}

/** The part that a wording belongs to. */
function partOf(wording: string): SplitName {
  const tenth = keyOf(0, wording)[0] % 10
  return tenth % 5 === 0 ? 'test' : tenth === 1 ? 'validation' : 'train'
}

/** How many examples of each split there are. */
export function sizesOf(options: { train: number; validation: number; test: number }): Record<SplitName, number> {
  const { train, test } = options
  return { train, validation: validationCountBeside(options), test, mismatched: test }
}

/** One of the many streams within a stream. */
export function streamAt(key: Key, index: number): Key {
  return [integer(key, 2 * index, 2 ** 32), integer(key, 2 * index + 1, 2 ** 32)]
}

/** Examples drawn when they are first read, and kept. */
export function drawnTexts<Example, Batch>(
  size: number,
  draw: (index: number) => Example,
  batch: (examples: Example[]) => Batch,
  planted: (example: Example) => Planted,
): Split<Batch> {
  const drawn: Example[] = []
  const exampleAt = (index: number) => {
    drawn[index] ??= draw(index)
    return drawn[index]
  }
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, size)
    return batch(Array.from(indices, exampleAt))
  }
  return { size, read, planted: (index) => planted(exampleAt(index)) }
}

/** How many words a text has, punctuation apart. */
export const wordsOf = (text: string): number => text.match(/[a-z]+/g)?.length ?? 0

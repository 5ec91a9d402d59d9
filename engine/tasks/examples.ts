import * as tf from '@tensorflow/tfjs-core'
import type { AugmentableBatch } from '../data/augment/apply.ts'
import { augmentedParts, type PartsOptions } from '../data/augment/parts.ts'
import { withAugmenter } from '../data/augment/thread.ts'
import { sequentialBatches, shuffledBatches } from '../data/dataLoader.ts'
import type { Dataset, FieldBatch, FieldDataset, NumberField } from '../data/types.ts'
import { evaluated, testsOf } from './evaluated.ts'
import type { Examples } from './types.ts'

type Tensors = AsyncGenerator<tf.NamedTensorMap>

/**
 * The batches of a data set in the order of training and of evaluation, of which `onDevice` makes tensors; of those to
 * train on `augmented`, with what augmentations of cells make of them.
 */
export function batchesOf<Batch>(
  dataset: Pick<Dataset<Batch>, 'train' | 'validation' | 'test' | 'others'>,
  onDevice: (source: AsyncGenerator<Batch>) => Tensors,
  augmented: (source: AsyncGenerator<Batch>, options: PartsOptions) => Tensors,
): Pick<Examples, 'train' | 'evaluated' | 'tests' | 'at' | 'known'> {
  return {
    ...singleExamples(dataset, onDevice),
    tests: testsOf(dataset),
    train: (batch, seed, from, options) =>
      withAugmenter(options?.spawnAugmenter, ({ draw, waited }) =>
        augmented(shuffledBatches(dataset.train, { batch, seed, draw, waited }, from), { ...options, seed, from }),
      ),
    evaluated: (split, batch, examples) => onDevice(sequentialBatches(evaluated(dataset, split, examples), batch)),
  }
}

/** Single examples of a data set, of which `onDevice` makes tensors, and what is known of them. */
export function singleExamples<Batch>(
  dataset: Pick<Dataset<Batch>, 'train' | 'validation' | 'test' | 'others'>,
  onDevice: (source: AsyncGenerator<Batch>, split: string, indices: readonly number[]) => Tensors,
): Required<Pick<Examples, 'at' | 'known'>> {
  async function* read(split: string, indices: readonly number[]): AsyncGenerator<Batch> {
    yield await evaluated(dataset, split).read(indices)
  }
  return {
    at: (split, indices) => onDevice(read(split, indices), split, indices),
    known: (split) => evaluated(dataset, split),
  }
}

/** Examples of named parts as tensors. */
export function fieldExamples(dataset: FieldDataset): Examples {
  const { hash, warnings, unreadable, check } = dataset
  const fields = numbersOf(dataset)
  return {
    hash,
    fields,
    warnings,
    unreadable,
    check,
    ...batchesOf(
      dataset,
      (source) => onDevice(withFields(source, fields)),
      (source, options) => onDevice(augmentedParts(source, fields, options)),
    ),
  }
}

/** Batches of named numbers as tensors. */
export async function* onDevice(source: AsyncGenerator<AugmentableBatch>): Tensors {
  for await (const { fields, values } of source) yield tensorsOf(values, fields as Numbers)
}

async function* withFields(source: AsyncGenerator<FieldBatch>, fields: Numbers): AsyncGenerator<AugmentableBatch> {
  for await (const values of source) yield { fields, values }
}

/** Parts of a batch as tensors. */
export function tensorsOf(batch: FieldBatch, fields: Numbers): tf.NamedTensorMap {
  const tensors = Object.entries(fields).map(([name, { shape, dtype }]) => {
    const values = batch[name] as Float32Array
    return [name, tf.tensor(values, [values.length / tf.util.sizeFromShape([...shape]), ...shape], dtype)]
  })
  return Object.fromEntries(tensors)
}

type Numbers = Record<string, NumberField>

/** The parts that are numbers; texts are for tasks that have a tokenizer. */
export function numbersOf({ fields }: FieldDataset): Numbers {
  return Object.fromEntries(Object.entries(fields).filter(([, { dtype }]) => dtype !== 'text')) as Numbers
}

import * as tf from '@tensorflow/tfjs-core'
import type { FileSource } from '../data/files.ts'
import { specOf } from '../data/spec.ts'
import { readTokenizer } from '../data/tokenizers/index.ts'
import type { Tokenizer } from '../data/tokenizers/types.ts'
import type { AnswerSpan, FieldBatch } from '../data/types.ts'
import { MixlabError, suggest } from '../errors.ts'
import { keyOf, permutation } from '../random.ts'
import { checkRecipe, kindOf } from '../tasks/index.ts'
import type { Task } from '../tasks/types.ts'
import { type RecipeOptions, resolveRecipe } from '../train/recipe.ts'
import { batchSamples } from './batch.ts'
import { cardOf } from './card.ts'
import { openOnce } from './openOnce.ts'
import { sampleOf } from './parts.ts'
import type { DataCard, Sample, Samples } from './schema.ts'
import { type Subject, withData } from './subject.ts'
import { textTokens } from './tokens.ts'
import { grouped } from './words.ts'

/** Which examples of a split are drawn: `count` from place `from` on of an order that `seed` decides. */
export interface SamplesWanted {
  split?: string | undefined
  seed: number
  from: number
  count: number
}

/** Which training batch: the one of a step of a run with this seed, and how many of its examples. */
export interface BatchWanted {
  seed: number
  step: number
  count: number
  /** In place of that of the subject. */
  recipe?: RecipeOptions | undefined
}

/** A data set that is open and looked at; it is read once, whatever is asked. */
export interface OpenedData {
  card(): Promise<DataCard>
  /** Examples as the data set has them, texts with their tokens. Throws MixlabError. */
  samples(wanted: SamplesWanted): Promise<Samples>
  /** A batch as the model gets it: augmented, mixed, masked, padded. Throws MixlabError. */
  batch(wanted: BatchWanted): Promise<Samples>
}

/** Opens the data of a subject. Throws MixlabError as opening the data set does. */
export async function openData(given: Subject, files: FileSource): Promise<OpenedData> {
  const { subject, opened, notices } = await openOnce(given, files)
  const { sort, data } = subject
  const view = sort.view(opened)
  const task = once(async (): Promise<Task> => {
    const { dataset, options, defined } = data
    const spec = withData(subject, specOf(dataset, options, defined, opened))
    return kindOf(spec).open(spec.options, files)
  })
  const tokenizer = once(async () => {
    const hasTexts = Object.values(view.fields).some(({ dtype }) => dtype === 'text')
    const saved = hasTexts
      ? await task().then(
          ({ files }) => files?.['tokenizer.json'],
          () => undefined,
        )
      : undefined
    return saved === undefined ? null : readTokenizer(saved)
  })
  const { horizon } = subject.task.task === 'forecast' ? withData(subject, data).options : {}
  const splitNamed = (name = 'train') => {
    const split = view.splits.find((each) => each.name === name)
    const names = view.splits.map((each) => each.name)
    if (!split) throw new MixlabError('option', 'split', `unknown split '${name}'${suggest(name, names)}`)
    return split
  }
  const sample = async (name: string, index: number): Promise<Sample> => {
    const batch = await splitNamed(name).read([index])
    const own = sampleOf(`${name} ${grouped(index)}`, batch, view.fields, 0)
    return withForecast(withTokens(own, batch, await tokenizer()), horizon)
  }
  const describe = once(() => cardOf({ view, data, kind: sort.kind, task: subject.task.task, files, notices, sample }))
  return {
    card: describe,
    async samples({ split: name, seed, from, count }) {
      const { name: split, size } = splitNamed(name)
      const order = permutation(keyOf(seed, `samples of ${split}`), size)
      const indices = Array.from({ length: Math.min(count, size) }, (_, i) => order[(from + i) % size] as number)
      const notes: string[] = []
      const samples: Sample[] = []
      for (const index of indices) {
        try {
          samples.push(await sample(split, index))
        } catch (error) {
          if (!(error instanceof MixlabError) || error.code !== 'data') throw error
          notes.push(`${split} ${index} cannot be read: ${error.message}`)
        }
      }
      const first = from % size
      const again = first + indices.length > size ? ', then from the first one on' : ''
      const places = `${grouped(first + 1)} to ${grouped(Math.min(size, first + indices.length))} of ${grouped(size)}`
      const title = `${split}, ${places} in the order of seed ${seed}${again}`
      return { title, samples, notes }
    },
    async batch({ seed, step, count, recipe = subject.recipe }) {
      const { batch: size, ...rest } = resolveRecipe(recipe)
      checkRecipe(subject.task, rest, 'train')
      const own = await task()
      const source = own.trainBatches(size, seed, step, { recipe: rest })
      const { value } = await source.next()
      try {
        const samples = await batchSamples(own, value, count)
        const title = `${grouped(samples.length)} of ${grouped(size)} examples of the batch of step ${step}, seed ${seed}`
        return { title, samples, notes: notesOf(rest) }
      } finally {
        tf.dispose(value)
        await source.return(undefined)
      }
    },
  }
}

/** What the recipe does to training batches, in a sentence. */
function notesOf(recipe: Partial<ReturnType<typeof resolveRecipe>>): string[] {
  const { augment, mixup, cutmix, labelSmoothing } = recipe
  const on = Object.entries(augment ?? {}).filter(([name, value]) => value && !(name === 'repeats' && value === 1))
  const names = on.map(([name, value]) =>
    name === 'own' ? (value as { name: string }[]).map((each) => each.name).join(', ') : name,
  )
  const all = [
    ...names,
    ...(mixup ? [`mixup ${mixup}`] : []),
    ...(cutmix ? [`cutmix ${cutmix}`] : []),
    ...(labelSmoothing ? [`label smoothing ${labelSmoothing}`] : []),
  ]
  return all.length > 0 ? [`The recipe changes training batches: ${all.join(', ')}.`] : []
}

/** The example of a batch of one, its texts cut into tokens. */
function withTokens(sample: Sample, batch: FieldBatch, tokenizer: Tokenizer | null): Sample {
  if (!tokenizer) return sample
  const [answers] = (batch.answers ?? []) as string[]
  const spans: AnswerSpan[] = answers === undefined ? [] : JSON.parse(answers)
  const parts = sample.parts.map(({ name, part }) => {
    const [text] = (batch[name] ?? []) as string[]
    if (part.type !== 'text' || text === undefined) return { name, part }
    return { name, part: textTokens(text, tokenizer, name === 'passage' ? spans : []) }
  })
  return { ...sample, parts }
}

/** The last `horizon` steps of a series are those that are forecast last. */
function withForecast(sample: Sample, horizon: unknown): Sample {
  if (typeof horizon !== 'number') return sample
  const parts = sample.parts.map(({ name, part }) => {
    if (part.type !== 'series') return { name, part }
    return { name, part: { ...part, from: Math.max(0, (part.channels[0]?.length ?? 0) - horizon) } }
  })
  return { ...sample, parts }
}

/** The same answer, however often it is asked for. */
function once<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | null = null
  return () => {
    answer ??= ask()
    return answer
  }
}

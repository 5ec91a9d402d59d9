import { namedDraws } from '../namedDraws.ts'
import { sizeOf } from '../own/example.ts'
import type { Field, FieldBatch } from '../types.ts'
import type { AugmentedBatch, Changed, Values } from './definition.ts'
import { drawsOf } from './draws.ts'
import { checkSame, failOf, type Given, givenBy } from './given.ts'
import type { PlacedAugmentation } from './index.ts'
import { softTargets } from './targets.ts'

/** Examples by their parts, flat, and what the parts are. Texts stay as they are. */
export interface AugmentableBatch {
  fields: Readonly<Record<string, Field>>
  values: FieldBatch
}

export interface AugmentSteps {
  /** All draws depend on seed, step and the place in the batch alone. */
  seed: number
  step: number
  /** Whether what cells define is made twice and has to be the same. */
  twice?: boolean | undefined
}

/**
 * A batch with all changes made, one after the other; the given one stays as it is. Throws MixlabError `option` where an
 * augmentation of a cell gives something else than values of the same shape, or does not suit the data.
 */
export function applyAugmentations(
  batch: AugmentableBatch,
  augmentations: readonly PlacedAugmentation[],
  steps: AugmentSteps,
): AugmentableBatch {
  return augmentations.reduce((changed, placed) => applied(changed, placed, steps), batch)
}

function applied(batch: AugmentableBatch, placed: PlacedAugmentation, { seed, step, twice }: AugmentSteps) {
  const { augmentation, path, own } = placed
  const { change, batch: whole } = augmentation
  const main = partOf(batch, placed)
  const changed = { fields: { ...batch.fields }, values: { ...batch.values } }
  const count = countOf(batch)
  const { fields } = batch
  const drawsUnder = (under: string) => namedDraws((name) => drawsOf(seed, `${under}/${name}`))
  /** Calls the code, a second time where asked; for one example without `count`. */
  const run = (call: () => Changed, count?: number): Given[] => {
    const given = () => givenBy(call(), placed, { fields, main, isBatch: count !== undefined, count: count ?? 1 })
    const first = given()
    if (own && twice) checkSame(first, given(), augmentation)
    return first
  }
  if (whole) {
    const call = () => whole(batchOf(batch, main, count, placed), drawsUnder(`augment/${step}${path}`))
    for (const { name, values, field } of run(call, count)) {
      changed.values[name] = values
      changed.fields[name] = field
    }
  } else if (change) {
    const copied = new Set<string>()
    for (let i = 0; i < count; i++) {
      const call = () => {
        const parts = partsAt(batch, i, i + 1, own)
        return change({ ...(parts[main] as Values), parts }, drawsUnder(`augment/${step}/${i}${path}`))
      }
      for (const { name, values, field } of run(call)) {
        if (!copied.has(name)) changed.values[name] = numbersIn(batch, name).slice()
        copied.add(name)
        numbersIn(changed, name).set(values, i * sizeOf(field.shape))
      }
    }
  }
  return changed
}

/** The part that an augmentation changes. */
function partOf({ fields }: AugmentableBatch, { augmentation }: PlacedAugmentation): string {
  const names = numberNames(fields)
  const name = augmentation.part ?? names[0]
  if (name !== undefined && names.includes(name)) return name
  throw failOf(augmentation)(`changes '${name}', but the training examples have ${names.join(', ')}`)
}

const numberNames = (fields: AugmentableBatch['fields']) =>
  Object.keys(fields).filter((name) => fields[name]?.dtype !== 'text')

function numbersIn({ values }: AugmentableBatch, name: string): Float32Array | Int32Array {
  return values[name] as Float32Array | Int32Array
}

function countOf(batch: AugmentableBatch): number {
  const [name = ''] = numberNames(batch.fields)
  return numbersIn(batch, name).length / sizeOf(batch.fields[name]?.shape ?? [])
}

/** The parts of examples `from` to `to` (not included); copies for code of cells, which may write into them. */
function partsAt(batch: AugmentableBatch, from: number, to: number, copy: boolean): Record<string, Values> {
  const parts = numberNames(batch.fields).map((name): [string, Values] => {
    const { shape } = batch.fields[name] as Field
    const size = sizeOf(shape)
    const values = numbersIn(batch, name).subarray(from * size, to * size)
    return [name, { values: copy || values instanceof Int32Array ? new Float32Array(values) : values, shape }]
  })
  return Object.fromEntries(parts)
}

function batchOf(batch: AugmentableBatch, main: string, count: number, placed: PlacedAugmentation): AugmentedBatch {
  const parts = partsAt(batch, 0, count, placed.own)
  const classes = batch.fields.label?.classes?.length ?? 0
  const targets = () => {
    if (!classes) throw failOf(placed.augmentation)('targets() needs a label with classes, which the data do not have')
    const labels = numbersIn(batch, 'label')
    return labels instanceof Int32Array ? softTargets(labels, classes, 0) : labels.slice()
  }
  return { ...(parts[main] as Values), count, parts, classes, targets }
}

import type { Unrepeatable } from '../chance.ts'
import { watchSurrogates } from '../gradients/custom.ts'
import * as models from '../models/index.ts'
import { isBlock } from '../nn/block.ts'
import type { Forward } from '../nn/model.ts'
import { resolveSize, type SizeOfParts } from '../nn/size.ts'
import type { Block, Parts, Size } from '../nn/types.ts'
import { sourceOf } from '../notebook/closures/closures.ts'
import { identityOf } from '../notebook/closures/identity.ts'
import { lineOf, locate } from '../notebook/location.ts'
import { givenBy, provenanceOf } from '../notebook/provenance.ts'
import { firstOf, keyed } from '../records/keyed.ts'
import { NUMERICS } from '../records/numerics.ts'
import type { PlannedRun } from '../records/run.ts'
import { keyedData, withoutDefinitions } from '../tasks/index.ts'
import type { Task } from '../tasks/types.ts'
import { optimizerOf } from '../train/optimizers/index.ts'
import { type Recipe, resolveRecipe } from '../train/recipe.ts'
import type { Study } from './compare.ts'
import { codeDigest, type Given } from './design/codeDigest.ts'
import { definitionsOf } from './design/definitionsOf.ts'
import { checkFunctionIdentity } from './design/functionIdentity.ts'
import { identityDigest, usesCorrected } from './design/identityDigest.ts'
import { eagerRepetition } from './design/repetition.ts'
import type { ResolvedStudy } from './design/resolve.ts'
import { BUILT_IN, builtInCode, keyOfRun } from './key.ts'
import { armOf } from './ledger/arm.ts'
import type { OpenVariant } from './opened.ts'
import { startOf } from './start/run.ts'
import { takingOf } from './start/weightsOf.ts'
import { teachingRun } from './teacher.ts'

/**
 * All runs of a study, seed by seed, so that all variants advance together. Variants with equal specs share their
 * keys, whatever their names. A variant whose code gives other numbers each time is `refused`; but in quick mode each gets
 * its `arm`. Throws MixlabError `option`
 * where functions that may differ would share one.
 */
export async function planRuns(
  study: Study,
  { name, seeds }: Pick<ResolvedStudy, 'name' | 'seeds'>,
  variants: PlannedVariant[],
  quick = false,
): Promise<PlannedRun[]> {
  const parts: (PlannedVariant & Awaited<ReturnType<typeof variantParts>>)[] = []
  const record = recordingOnce()
  for (const variant of variants) {
    const own = await variantParts(study, variant, record)
    variant.refused = own.refused
    if (!quick) variant.arm = await armOf(variant, own.model)
    parts.push({ ...variant, ...own })
  }
  return seeds.flatMap((seed) =>
    parts.map(({ name: variant, task, before, from: start, file, teacher: taughtBy, code, ...own }) => {
      const from = file?.name ?? (before && { ...startOf(name, before.planned, variant, seed), ...takingOf(start) })
      const teacher = taughtBy && teachingRun(taughtBy, seed, `task '${task.task}'.teacher`)
      const { data, model, train, definitions, measured } = own
      const common = { numerics: NUMERICS, data, model, train, definitions, seed, ...measured }
      const spec = { ...common, task: withoutDefinitions(task), from, ...(teacher && { teacher }) }
      return { key: keyOfRun(spec), study: name, variant, seed, from, ...(teacher && { teacher }), spec, code }
    }),
  )
}

type PlannedVariant = Pick<
  OpenVariant,
  'name' | 'block' | 'size' | 'task' | 'recipe' | 'opened' | 'from' | 'before' | 'file' | 'teacher' | 'refused' | 'arm'
>

/** What the runs of a variant share of their spec. */
async function variantParts(study: Study, variant: PlannedVariant, record: Recording) {
  const { block, size, task, recipe, opened } = variant
  const { fingerprint, code } = codeOf(block, study)
  const numerics = block.numerics + Number(block.changedAt?.(size) ?? false)
  const model = {
    ...keyedSize(block, size),
    block: block.blockName,
    code: fingerprint,
    ...(numerics !== 1 && { numerics }),
    ...(Object.keys(block.captured).length > 0 && { captured: block.captured }),
    ...(block.ends.stem && { stem: block.ends.stem.stemName }),
    ...(block.ends.head && { head: block.ends.head.headName }),
    ...(block.parts && { parts: keyedParts(block.parts, size as SizeOfParts) }),
  }
  const { digest, surrogates, refused } =
    fingerprint === BUILT_IN ? { digest: null, surrogates: [] } : await digestOf(variant, model, record, code)
  if (digest === null && fingerprint !== BUILT_IN) checkOneBlock(study, variant, fingerprint)
  return {
    code,
    refused: refused && locate(refused, provenanceOf(block.origin)?.cell ?? `${study.name}.variants.${variant.name}`),
    model: {
      ...model,
      ...(digest !== null && { digest }),
      ...(refused && { repeats: false }), // what an earlier version trained of it is not taken
      ...(surrogates.length > 0 && { surrogates: surrogates.join(', ') }),
    },
    data: keyedData(task, opened),
    train: keyedRecipe(recipe),
    definitions: await definitionsOf(study, variant),
    measured: opened.measured ?? {},
  }
}

/** What a block of a cell does, recorded, or else what its code says and captured; null where neither can be had. */
async function digestOf(variant: PlannedVariant, model: object, record: Recording, code: string): Promise<Recorded> {
  const { digest, ...recorded } = await record(variant)
  const said = { ...model, ...(usesCorrected(code) && { gradients: 2 }) }
  return { digest: digest ?? (await identityDigest(variant, said)), ...recorded }
}

/** What code does, and the lines of cells where it has surrogate gradients. */
interface Recorded {
  digest: string | null
  surrogates: string[]
  /** Why nothing is trained by it: it gives other numbers each time. */
  refused?: Unrepeatable | undefined
}

type Recording = (variant: PlannedVariant) => Promise<Recorded>

/** Records the code of variants: the same code with the same sizes on the same data once. */
function recordingOnce(): Recording {
  const known: { origin: Block; opened: Task; sizes: string; recorded: Promise<Recorded> }[] = []
  return ({ block, size, opened, recipe }) => {
    const { input, extras } = opened
    const batch = recipe.batch / recipe.accumulate
    const sizes = JSON.stringify([size, batch])
    const { origin } = block
    const found = known.find((each) => each.origin === origin && each.opened === opened && each.sizes === sizes)
    if (found) return found.recorded
    const recorded = recordedCode(origin, opened.model(block, size), { input, extras, batch })
    known.push({ origin, opened, sizes, recorded })
    return recorded
  }
}

async function recordedCode(block: Block, forward: Forward, given: Given): Promise<Recorded> {
  const surrogates = new Set<string>()
  const note = () => surrogates.add(lineOf(new Error('here')) ?? 'its code')
  let refused: Unrepeatable | undefined
  const digest = await codeDigest((...inputs) => watchSurrogates(note, () => forward(...inputs)), given, {
    refuse: (why) => {
      refused = why
    },
    captured: () => identityOf(block),
  })
  if (digest === null) refused ??= eagerRepetition(forward, given)
  return { digest, surrogates: [...surrogates], refused }
}

function checkOneBlock(study: Study, { name, block }: PlannedVariant, fingerprint: string): void {
  const { origin, blockName, captured } = block
  const text = (role: string) => JSON.stringify([fingerprint, blockName, captured, ...(role ? [role] : [])])
  const how = `make what it captures an option: block('${blockName}', { k: 0 }, (x, { k }) => …) and ${blockName}({ k: 3 })`
  for (const [role, made] of functionsOf(origin)) {
    checkFunctionIdentity(
      { study, defined: origin, text: text(role), made },
      `${study.name}.variants.${name}`,
      `two functions of block '${blockName}' have one text, and cannot be recorded to tell them apart; ${how}`,
    )
  }
}

/** The functions that a block is made of, by what they are in it. */
function functionsOf({ run, ends, parts }: Block, place = ''): [role: string, made: object][] {
  const own: [string, object | undefined][] = [
    [place, parts ? undefined : run],
    [`${place}stem`, ends.stem?.run],
    [`${place}head`, ends.head?.run],
  ]
  const inside = (parts?.list ?? []).flatMap(({ block, merge }, i): [string, object][] => [
    ...(typeof merge === 'function' ? [[`${place}${i}.merge`, merge] as [string, object]] : []),
    ...functionsOf(block, `${place}${i}.`),
  ])
  return [...own.filter((each): each is [string, object] => each[1] !== undefined), ...inside]
}

function keyedRecipe({ optimizer: given, ...recipe }: Recipe) {
  // decides nothing: what is only kept of a run
  const { checkpointEvery: _, histograms: __, snapshots: ___, ...deciding } = recipe
  const { schedule, augment: { own: augmentations = [], ...augment } = {} } = recipe
  const own = typeof schedule !== 'string'
  const plain = { ...deciding, ...(recipe.augment && { augment }), ...(own && { schedule: 'cosine' }) }
  const shared = keyed(plain, firstOf('train'), resolveRecipe)
  return {
    ...shared,
    ...(own && { schedule: schedule.name }),
    ...(augmentations.length > 0 && {
      augment: { ...(shared.augment as object | undefined), own: augmentations.map(({ name }) => name) },
    }),
    optimizer: { optimizer: given.optimizer, options: optimizerOf(given).keyed(given.options) },
  }
}

/** What the parts of a model say for themselves. */
function keyedParts({ list }: Parts, { parts, ...shared }: SizeOfParts): object[] {
  return list.map(({ block, merge }, i) => {
    const size = parts[i] as SizeOfParts
    const whole = shared as Record<string, unknown>
    const own = Object.entries(ownSize(block, size)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(whole[name]),
    )
    return {
      block: block.blockName,
      ...Object.fromEntries(own),
      ...(merge !== null && { merge: typeof merge === 'function' ? merge.name : merge }),
      ...(block.parts && { parts: keyedParts(block.parts, size) }),
    }
  })
}

/** A size without those of parts. */
function ownSize(block: Block, size: Size): Size {
  if (!block.parts) return size
  const { parts: _, ...own } = size as SizeOfParts
  return own
}

function keyedSize(block: Block, size: Size) {
  const own = builtIn.has(block.origin) ? firstOf(block.blockName) : Object.keys(block.defaults)
  const resolve = (options: object) =>
    resolveSize({ ...block, parts: null, options: { ...options } }, {}, block.blockName)
  return keyed(ownSize(block, size), [...firstOf('model'), ...own], resolve)
}

const builtIn = new Set<unknown>(Object.values(models).filter(isBlock))

/** Where a block's code is: a cell of its own, the engine, or else the cell of the study. */
function codeOf(block: Block, study: Study): { fingerprint: string; code: string } {
  const own = provenanceOf(block.origin)
  if (own) return own
  if (builtIn.has(block.origin)) return { fingerprint: BUILT_IN, code: builtInCode(block.blockName) }
  const source = sourceOf(block.run)
  // what is made of blocks, or has another stem or head, has no function that says all of it
  const isMade = block.parts !== null || block.ends.stem || block.ends.head
  return (isMade ? givenBy(study) : provenanceOf(study)) ?? { fingerprint: source, code: source }
}

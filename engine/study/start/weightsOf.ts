import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { parseOptions } from '../../options.ts'
import type { OtherGrid } from '../../weights/files/fitting.ts'
import { isWeightsFile, type WeightsFile } from './weightsFile.ts'

/** Weights that another study has learned, of which only some are taken, or for another grid of patches; for `from:`. */
export interface WeightsOf<Study> extends Taking {
  readonly kind: 'weightsOf'
  readonly study: Study
}

/** A study, as far as it matters here. */
interface Named {
  readonly kind: 'study'
  readonly name: string
}

/** What may stand under `from:`. */
export type Start<Study extends Named = Named> = Study | WeightsOf<Study> | WeightsFile

/** How the weights of another run are taken. */
export interface Taking {
  /** Parts that start as they are initialised, by the names of their tensors; sorted. */
  readonly fresh?: readonly string[] | undefined
  /** What becomes of matrices over tokens, and of positions, where the patches are more. */
  readonly tokens?: OtherGrid | undefined
}

const study = z.custom<Named>((given) => (given as Named | null | undefined)?.kind === 'study')
const schema = z.strictObject({
  fresh: z
    .array(z.string().regex(/^[\w*]+(\.[\w*]+)*$/, "names of parts, e.g. ['stem'] or ['blocks.*.mlp_tokens']"))
    .min(1)
    .optional(),
  tokens: z.enum(['resized', 'copied']).optional(),
})

/**
 * The weights of another study for `from:`, where stem and blocks are not all the same. `fresh` has the parts that start as
 * they are initialised, by the beginning of the names of their tensors: `['stem', 'embed']`, or `['blocks.*.mlp_tokens']`,
 * where `*` stands for any one part of a name. With `tokens`, matrices over tokens and positions become those of another
 * grid of patches: `copied`, as in MLP-Mixer, of K times as many rows and columns (weights/files/copied.ts), or `resized`
 * (weights/files/resize.ts). All else has to fit by name and shape, but for the head. Throws MixlabError `option`.
 */
export function weightsOf<Study extends Named>(
  of: Study,
  options: { fresh?: string[]; tokens?: OtherGrid },
): WeightsOf<Study> {
  if (!study.safeParse(of).success)
    throw new MixlabError('option', 'weightsOf', 'expected a study, made by compare(), as first argument')
  const { fresh, tokens } = parseOptions(schema, options, 'weightsOf')
  if (!fresh && !tokens)
    throw new MixlabError('option', 'weightsOf', 'expected fresh or tokens; all of a study is from: study')
  return {
    kind: 'weightsOf',
    study: of,
    ...(fresh && { fresh: [...new Set(fresh)].sort() }),
    ...(tokens && { tokens }),
  }
}

export function isWeightsOf(value: unknown): value is WeightsOf<unknown> {
  return (value as WeightsOf<unknown> | null | undefined)?.kind === 'weightsOf'
}

/** The study that a start is of; null for a file, and for none. */
export function startingStudy<Study extends Named>(from: Start<Study> | undefined): Study | null {
  if (!from || isWeightsFile(from)) return null
  return isWeightsOf(from) ? from.study : from
}

/** The same start of that study, narrowed. */
export function withStudy<Study extends Named>(from: Start<Study>, narrowed: (study: Study) => Study): Start<Study> {
  if (isWeightsFile(from)) return from
  return isWeightsOf(from) ? { ...from, study: narrowed(from.study) } : narrowed(from)
}

/** What a run starts from, in words: `pretraining`, `pretraining, fresh stem`. */
export function startText(from: Start | undefined): string | undefined {
  if (!from || isWeightsFile(from)) return from?.path
  if (!isWeightsOf(from)) return from.name
  const { study, fresh, tokens } = from
  return [study.name, ...(fresh ? [`fresh ${fresh.join(' ')}`] : []), ...(tokens ? [`tokens ${tokens}`] : [])].join(
    ', ',
  )
}

/** How weights are taken, as it stands in a spec; nothing where all are, and as they are. */
export function takingOf(from: Start | undefined): { fresh?: readonly string[]; tokens?: OtherGrid } {
  if (!isWeightsOf(from)) return {}
  const { fresh, tokens } = from
  return { ...(fresh && { fresh }), ...(tokens && { tokens }) }
}

/** Whether a tensor is of a part that starts fresh. */
export function isFresh(name: string, fresh: readonly string[] = []): boolean {
  return fresh.some((part) => isIn(name, part))
}

/** Whether the name of a tensor begins with that of a part, in which `*` stands for any one part of a name. */
export function isIn(name: string, part: string): boolean {
  const [names, parts] = [name, part].map((each) => each.split('.')) as [string[], string[]]
  return parts.length <= names.length && parts.every((each, i) => each === '*' || each === names[i])
}

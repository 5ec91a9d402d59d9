import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { DefinitionCode } from '../definitions.ts'
import { MixlabError } from '../errors.ts'

/** Stands in a spec for the text of a block that no cell defines. */
export const BUILT_IN = 'built in'

/** The code of a run whose block no cell defines. */
export const builtInCode = (block: string) => `// built in: ${block}`

/** What a run is made of; see plan.ts. */
export interface KeyedSpec {
  task: { task: string }
  from?: { key: string; fresh?: readonly string[] | undefined; tokens?: string | undefined } | undefined
  teacher?: { key: string } | undefined
  model?: { digest?: string | undefined; numerics?: number | undefined; [option: string]: unknown }
  metrics?: Record<string, DefinitionCode> | undefined
  /** What chooses the weights that are tested, where it is not the metric of the task. */
  metric?: string | undefined
  /** What is read off the model at evaluations. */
  readouts?: Record<string, DefinitionCode> | undefined
  /** What cells define of it beside block and metrics; see design/definitionsOf.ts. */
  definitions?: Record<string, DefinitionCode> | undefined
  train?:
    | { optimizer?: KeyedOptimizer | undefined; augment?: object | undefined; [option: string]: unknown }
    | undefined
}

interface KeyedOptimizer {
  optimizer?: string
  options?: { groups?: { optimizer?: KeyedOptimizer }[]; [option: string]: unknown }
}

/** The key of a file of weights, by its bytes and by how they are taken. */
export function keyOfFile({ sha256, resize, prefix }: KeyedFile): string {
  return keyOfSpec({ weights: sha256, ...(resize && { resize }), ...(prefix && { prefix }) })
}

interface KeyedFile {
  sha256: string
  resize?: boolean | undefined
  prefix?: string | undefined
}

/**
 * The run key of a spec: a digest of all that decides the result of its run. Where its data lie decides nothing, nor what the run is
 * called that it starts from.
 */
export function keyOfRun({ task, from, teacher, ...spec }: KeyedSpec): string {
  const named = isKnown(spec.definitions?.task) ? undefined : task.task
  return keyOfSpec({ ...withoutText(spec), task: named, from: from && startKey(from), teacher: teacher?.key })
}

/** What a run starts from, and how it is taken where not all is, and as it is. */
function startKey({ key, fresh, tokens }: NonNullable<KeyedSpec['from']>): unknown {
  return fresh || tokens ? { key, fresh, tokens } : key
}

/** The key of the run that is trained alike and measures nothing but what its task does. */
export function trainedKeyOf(spec: KeyedSpec): string {
  return keyOfRun({ ...spec, metric: undefined, metrics: undefined, readouts: undefined })
}

/** What stands for the data and the task of a run, and so for the floors of these. */
export function floorsKeyOf(spec: Record<string, unknown>): string {
  const { data, task, definitions } = spec as { data?: unknown; task?: unknown; definitions?: Record<string, unknown> }
  return keyOfSpec({ data, task, definition: definitions?.task })
}

/** A spec where code whose digest is known stands for itself by that: its text, names and options decide nothing. */
export function withoutText<Spec extends Omit<KeyedSpec, 'task' | 'from' | 'teacher'>>(given: Spec) {
  const { model, metrics, readouts, definitions, train, ...spec } = given
  return {
    ...spec,
    model: model?.digest === undefined ? model : { digest: model.digest, numerics: model.numerics },
    metrics: metrics && digestsOf(metrics),
    readouts: readouts && digestsOf(readouts),
    definitions: definitions && digestsOf(definitions),
    train: train && {
      ...train,
      ...(isKnown(definitions?.schedule) && { schedule: undefined }),
      ...(isKnown(definitions?.optimizer) && { optimizer: unnamed(train.optimizer) }),
      ...(areKnown(definitions, 'augmentation.') && { augment: { ...train.augment, own: undefined } }),
    },
  }
}

/** An optimizer, or one for each group of parameters, without names. */
function unnamed(optimizer: KeyedOptimizer | undefined): object {
  const { options, ...others } = optimizer ?? {}
  const groups = options?.groups?.map((group) => ({ ...group, optimizer: unnamed(group.optimizer) }))
  return { ...others, optimizer: undefined, options: { ...options, groups } }
}

function isKnown(code: DefinitionCode | undefined): boolean {
  return typeof code === 'object'
}

/** Whether there are definitions whose names begin so, and all of them are known. */
function areKnown(definitions: Record<string, DefinitionCode> | undefined, prefix: string): boolean {
  const found = Object.entries(definitions ?? {}).filter(([name]) => name.startsWith(prefix))
  return found.length > 0 && found.every(([, code]) => isKnown(code))
}

function digestsOf(codes: Record<string, DefinitionCode>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [name, typeof code === 'string' ? code : code.digest]),
  )
}

/** SHA-256 of a value as JSON with sorted keys. Throws for what JSON cannot hold, e.g. a function. */
export function keyOfSpec(spec: unknown): string {
  return bytesToHex(sha256(new TextEncoder().encode(canonical(spec, 'spec'))))
}

/** Deeper than any spec. */
const MAX_DEPTH = 100

function canonical(value: unknown, path: string, depth = 0): string {
  if (depth > MAX_DEPTH) throw new MixlabError('option', 'spec', `is nested more than ${MAX_DEPTH} levels deep`)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item, i) => canonical(item, `${path}.${i}`, depth + 1)).join(',')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, `${path}.${key}`, depth + 1)}`).join(',')}}`
  }
  const what = `a ${typeof value}; options of a run are plain data, so that they can be recorded`
  throw new MixlabError('option', path, what)
}

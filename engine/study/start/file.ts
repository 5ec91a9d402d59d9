import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { modelTensors } from '../../cost/trace.ts'
import type { FileSource } from '../../data/files.ts'
import { fileShape } from '../../nn/layout.ts'
import { type Model, parameterCount } from '../../nn/model.ts'
import type { Parameter } from '../../nn/scope.ts'
import type { FileName } from '../../records/run.ts'
import { fitting } from '../../weights/files/fitting.ts'
import { readWeightsFile } from '../../weights/files/index.ts'
import type { Wanted } from '../../weights/files/resize.ts'
import { loadTensors } from '../../weights/model.ts'
import type { NamedTensor } from '../../weights/safetensors.ts'
import { keyOfSpec } from '../key.ts'
import type { Fitted } from './fit.ts'
import { checkEnding, type WeightsFile } from './weightsFile.ts'

/** A file of weights that runs start from. */
export interface OpenFile {
  name: FileName
  tensors: NamedTensor[]
  /** What errors call it. */
  source: string
}

/** Reads a file of weights. Throws MixlabError `option`, `data` or `weights`; `where` is the option that names it. */
export async function openFile(file: WeightsFile, files: FileSource, where: string): Promise<OpenFile> {
  checkEnding(file, where)
  const { path, resize } = file
  const bytes = await files.read(path)
  const digest = bytesToHex(sha256(bytes))
  const key = keyOfSpec({ weights: digest, ...(resize && { resize }) })
  const name = { key, path, sha256: digest, ...(resize && { resize: true as const }) }
  const source = `${where}: '${path}'`
  return { name, source, tensors: readWeightsFile(bytes, source) }
}

/** A file for a variant. */
export interface FittedFile extends OpenFile {
  /** With names and shapes of its model; null where its code does not run on shapes alone. */
  fitted: NamedTensor[] | null
}

/** Fits a file to a variant, once for all its runs. Throws MixlabError `weights` where it does not fit. */
export async function fitFile(file: OpenFile, { block, size, opened }: Fitted): Promise<FittedFile> {
  const wanted = await modelTensors(opened.model(block, size), opened.input).catch(() => null)
  return { ...file, fitted: wanted && fitted(file, wanted) }
}

/**
 * Gives a model the weights of a file; a new head stays as it is initialised. Returns the number of trained values that were
 * given. Throws MixlabError `weights` where they do not fit.
 */
export function startFromFile(file: FittedFile, { parameters }: Pick<Model, 'parameters'>): number {
  const tensors = file.fitted ?? fitted(file, parameters.map(wantedOf))
  const given = new Set(tensors.map(({ name }) => name))
  const own = parameters.filter(({ name }) => given.has(name))
  loadTensors(own, tensors, file.source)
  return parameterCount(own.filter(({ trained }) => trained))
}

function fitted({ tensors, source, name }: OpenFile, wanted: Wanted[]): NamedTensor[] {
  return fitting(tensors, wanted, { resize: name.resize === true, source })
}

/** What is of the head is told by the name alone. */
function wantedOf({ name, shape, layout, tokenGrid }: Parameter): Wanted {
  return { name, shape: fileShape(shape, layout), tokenGrid, inHead: name.startsWith('head.') }
}

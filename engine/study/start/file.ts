import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { modelTensors } from '../../cost/trace.ts'
import type { FileSource } from '../../data/files.ts'
import { fileShape } from '../../nn/layout.ts'
import { type Model, parameterCount } from '../../nn/model.ts'
import type { FileName } from '../../records/run.ts'
import { fitting } from '../../weights/files/fitting.ts'
import { readWeightsFile } from '../../weights/files/index.ts'
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

/** Throws MixlabError `weights` where a file does not fit a variant, as far as its code runs on shapes alone. */
export async function checkFile({ tensors, source, name }: OpenFile, { block, size, opened }: Fitted): Promise<void> {
  const wanted = await modelTensors(opened.model(block, size), opened.input).catch(() => null)
  if (wanted) fitting(tensors, wanted, { resize: name.resize === true, source })
}

/** Whether a tensor of a variant is of its head; by name where its code does not run on shapes alone. */
export async function headOf({ block, size, opened }: Fitted): Promise<(name: string) => boolean> {
  const tensors = await modelTensors(opened.model(block, size), opened.input).catch(() => null)
  const heads = tensors && new Set(tensors.flatMap(({ name, inHead }) => (inHead ? [name] : [])))
  return (name) => heads?.has(name) ?? name.startsWith('head.')
}

/**
 * Gives a model the weights of a file; a new head stays as it is initialised. Returns the number of trained values that were
 * given. Throws MixlabError `weights` where they do not fit.
 */
export function startFromFile(
  { tensors, source, name: file }: OpenFile,
  { parameters }: Pick<Model, 'parameters'>,
  isHead: (name: string) => boolean,
): number {
  const wanted = parameters.map(({ name, shape, layout, tokenGrid }) => {
    return { name, shape: fileShape(shape, layout), tokenGrid, inHead: isHead(name) }
  })
  const found = fitting(tensors, wanted, { resize: file.resize === true, source })
  const given = new Set(found.tensors.map(({ name }) => name))
  const own = parameters.filter(({ name }) => given.has(name))
  loadTensors(own, found.tensors, source)
  return parameterCount(own.filter(({ trained }) => trained))
}

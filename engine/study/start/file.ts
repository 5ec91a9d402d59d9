import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { modelTensors } from '../../cost/trace.ts'
import type { FileSource } from '../../data/files.ts'
import { MixlabError } from '../../errors.ts'
import * as models from '../../models/index.ts'
import { fileShape } from '../../nn/layout.ts'
import { type Model, parameterCount } from '../../nn/model.ts'
import type { Parameter } from '../../nn/scope.ts'
import type { Block, Size } from '../../nn/types.ts'
import type { FileName } from '../../records/run.ts'
import { fitting, leftByModel } from '../../weights/files/fitting.ts'
import { gatherWeights } from '../../weights/files/gather.ts'
import { openWeightsFile } from '../../weights/files/index.ts'
import { withLeft } from '../../weights/files/left.ts'
import type { Wanted } from '../../weights/files/resize.ts'
import { readConfiguration } from '../../weights/foreign/config.ts'
import { type Configuration, type Facts, NOTHING, over } from '../../weights/foreign/facts.ts'
import { publishedHeads } from '../../weights/foreign/published.ts'
import { loadTensors } from '../../weights/model.ts'
import type { NamedTensor } from '../../weights/safetensors.ts'
import { exportOf } from '../builtIn.ts'
import { keyOfFile } from '../key.ts'
import type { Fitted } from './fit.ts'
import type { WeightsFile } from './weightsFile.ts'

/** A file of weights that runs start from. */
export interface OpenFile {
  name: FileName
  tensors: NamedTensor[]
  /** What else is in it and was not read, in words. */
  left: string[]
  /** What errors call it. */
  source: string
  /** What is known of its model beside the tensors; null where it is one of our own, which is taken as it comes. */
  known: Pick<Configuration, 'facts' | 'architecture'> | null
}

/** Reads a file of weights. Throws MixlabError `option`, `data` or `weights`; `where` is the option that names it. */
export async function openFile(file: WeightsFile, files: FileSource, where: string): Promise<OpenFile> {
  const { path, resize, prefix } = file
  const gathered = await gatherWeights(path, files)
  const parts = gathered.parts.map((part) => bytesToHex(sha256(part)))
  const digest = parts.length === 1 ? (parts[0] as string) : bytesToHex(sha256(new TextEncoder().encode(parts.join())))
  const taken = { sha256: digest, ...(resize && { resize: true as const }), ...(prefix !== undefined && { prefix }) }
  const name = { key: keyOfFile(taken), path, ...taken }
  const source = `${where}: '${path}'`
  const { tensors, evident, description, left } = openWeightsFile(gathered.parts, source, prefix)
  if (description !== null) return { name, source, tensors, left, known: null }
  const config = await configBeside(gathered.path, files)
  const beside = `${where}: ${CONFIG} beside '${path}'`
  const said = config === null ? NOTHING : readConfiguration(config, null, beside, { pool: 'token' }) // of a head
  return { name, source, tensors, left, known: { ...said, facts: over(evident, said.facts) } }
}

const CONFIG = 'config.json'

/** The configuration in the folder of a file; null where there is none that may be read. */
async function configBeside(path: string, files: FileSource): Promise<string | null> {
  try {
    return new TextDecoder().decode(await files.read(path.replace(/[^/\\]*$/, CONFIG)))
  } catch (error) {
    if (error instanceof MixlabError && (error.code === 'data' || error.code === 'permission')) return null
    throw error
  }
}

/** A file for a variant. */
export interface FittedFile extends OpenFile {
  /** With names and shapes of its model; null where its code does not run on shapes alone. */
  fitted: NamedTensor[] | null
}

/** Fits a file to a variant, once for all its runs. Throws MixlabError `weights` where it does not fit. */
export async function fitFile(file: OpenFile, { block, size, opened }: Fitted): Promise<FittedFile> {
  const wanted = await modelTensors(opened.model(block, size), opened.input).catch(() => null)
  const tensors = wanted && fitted(file, wanted)
  checkFacts(file, block, size)
  const left = tensors ? leftByModel(file.tensors, tensors) : []
  return { ...file, left: [...file.left, ...left], fitted: tensors }
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

/** Options of blocks that no tensor shows. */
const HIDDEN = ['heads', 'eps', 'activation'] as const

/** Throws MixlabError `weights` where a variant has what no tensor shows otherwise, or leaves its heads to their default. */
function checkFacts({ known, source }: OpenFile, block: Block, size: Size): void {
  if (known === null) return
  const facts = over(known.facts, { heads: publishedHeads(known.architecture, size.dim) })
  const own = size as Size & { heads?: number }
  const call = exportOf(block.blockName)
  const fail = (what: string) => new MixlabError('weights', source, what)
  const text = (name: (typeof HIDDEN)[number], from: Facts) => `${name}: ${JSON.stringify(from[name])}`
  const isBuiltIn = Object.values<unknown>(models).includes(block.origin) // a block of a cell need not take all options of the model
  const wrong = HIDDEN.filter((name) => {
    return (isBuiltIn || name === 'heads') && own[name] !== undefined && ![undefined, own[name]].includes(facts[name])
  })
  if (wrong.length > 0) {
    const [theirs, ours] = [facts, own].map((from) => wrong.map((name) => text(name, from)).join(', '))
    throw fail(`is of a model with ${theirs}, the variant has ${ours}; write ${call}({ ${theirs} })`)
  }
  if (own.heads === undefined || facts.heads !== undefined || block.options.heads !== undefined) return
  throw fail(`nothing says how many heads it has; write them, ${call}({ heads: ${own.heads} }) or another number`)
}

function fitted({ tensors, source, name, left }: OpenFile, wanted: Wanted[]): NamedTensor[] {
  try {
    return fitting(tensors, wanted, { tokens: name.resize && 'resized', source })
  } catch (error) {
    throw withLeft(error, left)
  }
}

/** Whether a tensor belongs to the head follows from its name alone. */
function wantedOf({ name, shape, layout, tokenGrid }: Parameter): Wanted {
  return { name, shape: fileShape(shape, layout), tokenGrid, inHead: name.startsWith('head.') }
}

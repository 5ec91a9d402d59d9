import type { FileSource } from '../../data/files.ts'
import { bytesText, MEMORY } from '../../data/inflate.ts'
import { join, parent } from '../../data/paths.ts'
import { MixlabError } from '../../errors.ts'

/** What files of weights end in. */
export const ENDINGS = ['safetensors', 'npz', 'pt', 'pth', 'bin', 'ckpt', 'index.json'] as const
/** What those that hold a whole model end in, which Mixlab itself writes. */
export const GRAPH_ENDINGS = ['onnx', 'json', 'py'] as const

const endsIn = (endings: readonly string[]) =>
  new RegExp(`\\.(?:${endings.map((each) => each.replace('.', '\\.')).join('|')})$`, 'i')
const [WEIGHTS, ANY] = [endsIn(ENDINGS), endsIn([...ENDINGS, ...GRAPH_ENDINGS])]

/** Whether a path ends as a file of weights does; with `graphs`, also as one of a whole model. */
export const isWeightsPath = (path: string, { graphs }: { graphs: boolean }) => (graphs ? ANY : WEIGHTS).test(path)

/** What the model of a folder is in, as Hugging Face and TensorFlow.js call it, the first that is there. */
const NAMES = [
  'model.safetensors',
  'model.safetensors.index.json',
  'pytorch_model.bin',
  'pytorch_model.bin.index.json',
  'model.json',
]
/** What a trainer leaves beside it. */
const OTHERS = /^(?:optimizer|scheduler|scaler|training_args|rng_state.*)\.\w+$/
const PART = /-\d{5}-of-\d{5}\.(safetensors|bin)$/

/** A file of weights, where it is, and its bytes, in the parts in which it is there. */
export interface Gathered {
  path: string
  parts: Uint8Array[]
}

/**
 * The file of weights at a path, or in the folder there: with the parts that an index of Hugging Face or a model.json lists,
 * and of a PyTorch module the tensors beside it, never its code. Throws MixlabError `weights` and what reading throws.
 */
export async function gatherWeights(path: string, files: FileSource): Promise<Gathered> {
  const fail = (what: string) => new MixlabError('weights', path, what)
  const at = isWeightsPath(path, { graphs: true }) ? path : join(path, await chosenIn(path, files, fail))
  const beside = (name: string) => join(parent(at).folder, name)
  const [, ending] = PART.exec(at) ?? []
  if (ending !== undefined)
    throw fail(`is one part of several; name their index, ${parent(at).name.replace(PART, `.${ending}.index.json`)}`)
  if (/\.py$/i.test(at)) return { path: at, parts: [await files.read(`${at}.safetensors`)] }
  const first = await files.read(at)
  if (!/\.json$/i.test(at)) return { path: at, parts: [first] }
  const { names, isIndex } = listed(first, fail)
  const parts = isIndex ? [] : [first]
  for (const name of names) {
    if (/[\\/]|^\.\.?$/.test(name)) throw fail(`lists '${name}', expected the name of a file beside it`)
    parts.push(await files.read(beside(name)))
    const sum = parts.reduce((bytes, part) => bytes + part.length, 0)
    if (sum > MEMORY) throw fail(`its parts take more than ${bytesText(MEMORY)}`)
  }
  return { path: at, parts }
}

async function chosenIn(path: string, files: FileSource, fail: (what: string) => MixlabError): Promise<string> {
  const names = (await files.list(path)).map(({ name }) => name)
  const known = NAMES.find((name) => names.includes(name))
  const some = names.filter((name) => isWeightsPath(name, { graphs: false }) && !OTHERS.test(name))
  if (known !== undefined) return known
  if (some.length > 1) throw fail(`has ${some.length} files of weights, name one: ${some.slice(0, 5).join(', ')}`)
  if (some[0] === undefined)
    throw fail(`has no file of weights: ${NAMES.join(', ')}, or another .${ENDINGS.slice(0, -1).join(', .')}`)
  return some[0]
}

/** The files that an index of Hugging Face, or a model.json, lists. */
function listed(bytes: Uint8Array, fail: (what: string) => MixlabError): { names: string[]; isIndex: boolean } {
  let json: { weight_map?: Record<string, unknown>; weightsManifest?: { paths?: unknown }[] } | null
  try {
    json = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw fail('is no JSON')
  }
  const isIndex = typeof json?.weight_map === 'object' && json.weight_map !== null
  const manifest = Array.isArray(json?.weightsManifest) ? json.weightsManifest : []
  const names = isIndex ? Object.values(json?.weight_map ?? {}) : manifest.flatMap((group) => group?.paths ?? [])
  if (names.length === 0 || !names.every((name) => typeof name === 'string'))
    throw fail('is neither an index of files of weights, with a weight_map, nor a graph model of TensorFlow.js')
  return { names: [...new Set(names)], isIndex }
}

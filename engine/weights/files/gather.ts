import { bytesText, MAX_FILE_MEMORY } from '../../data/inflate.ts'
import { join, parent } from '../../data/paths.ts'
import { type Fail, MixlabError } from '../../errors.ts'

/** What files of weights end in, and those of whole models, which Mixlab itself writes. */
export const ENDINGS = ['.safetensors', '.npz', '.pt', '.pth', '.bin', '.ckpt', '.index.json']
export const GRAPH_ENDINGS = ['.onnx', '.json', '.py']

/** Whether a path ends in one of these. */
export const endsIn = (path: string, endings: readonly string[]) =>
  endings.some((ending) => path.toLowerCase().endsWith(ending))

/** What Hugging Face and TensorFlow.js call the model of a folder, the first that is there; and what is none. */
const NAMES = ['model.safetensors', 'pytorch_model.bin'].flatMap((name) => [name, `${name}.index.json`])
const OTHERS = /^(?:optimizer|scheduler|scaler|training_args|rng_state.*)\.\w+$/

/** Where files are read. */
interface Files {
  list(path: string): Promise<{ name: string }[]>
  read(path: string): Promise<Uint8Array>
}

/**
 * The file of weights at a path, or in the folder there, in its parts: the shards that an index of Hugging Face or a
 * model.json lists; for a PyTorch module the tensors beside it, never its code. Throws MixlabError `weights`, and what
 * reading throws.
 */
export async function gatherWeights(path: string, files: Files): Promise<{ path: string; parts: Uint8Array[] }> {
  const fail = (what: string) => new MixlabError('weights', path, what)
  const isFile = endsIn(path, [...ENDINGS, ...GRAPH_ENDINGS])
  const at = isFile ? path : join(path, chosenAmong(await files.list(path), fail))
  const index = at.replace(/-\d{5}-of-\d{5}(\.\w+)$/, '$1.index.json')
  if (index !== at) throw fail(`is one part of several; name their index, ${parent(index).name}`)
  if (endsIn(at, ['.py'])) return { path: at, parts: [await files.read(`${at}.safetensors`)] }
  const first = await files.read(at)
  if (!endsIn(at, ['.json'])) return { path: at, parts: [first] }
  const { names, parts } = listedIn(first, fail)
  for (const name of names) {
    if (/[\\/]|^\.\.?$/.test(name)) throw fail(`lists '${name}', expected the name of a file beside it`)
    parts.push(await files.read(at.replace(/[^/\\]*$/, () => name)))
    const sum = parts.reduce((bytes, part) => bytes + part.length, 0)
    if (sum > MAX_FILE_MEMORY) throw fail(`its parts take more than ${bytesText(MAX_FILE_MEMORY)}`)
  }
  return { path: at, parts }
}

function chosenAmong(entries: { name: string }[], fail: Fail): string {
  const names = entries.map(({ name }) => name)
  const known = [...NAMES, 'model.json'].filter((name) => names.includes(name))
  const [first, ...more] = [...known, ...names.filter((name) => endsIn(name, ENDINGS) && !OTHERS.test(name))]
  if (first === undefined) throw fail(`has no file of weights: ${ENDINGS.join(', ')}, or model.json`)
  if (known.length === 0 && more.length > 0)
    throw fail(`has ${1 + more.length} files of weights, such as ${first}; name one`)
  return first
}

/** The files that an index of Hugging Face lists, or a model.json, which is a part itself. */
function listedIn(bytes: Uint8Array, fail: Fail): { names: string[]; parts: Uint8Array[] } {
  const names: unknown[] = []
  let isIndex = false
  try {
    const { weight_map, weightsManifest = [] } = JSON.parse(new TextDecoder().decode(bytes))
    isIndex = weight_map !== undefined
    names.push(
      ...(isIndex ? Object.values(weight_map) : weightsManifest.flatMap((group: { paths: unknown }) => group.paths)),
    )
  } catch {} // no JSON, or another one
  if (names.length > 0 && names.every((name) => typeof name === 'string'))
    return { names: [...new Set(names)], parts: isIndex ? [] : [bytes] }
  throw fail('is neither an index of weights, with a weight_map, nor a graph model of TensorFlow.js')
}

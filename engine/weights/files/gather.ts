import { bytesText, MAX_FILE_MEMORY } from '../../data/inflate.ts'
import { join, parent } from '../../data/paths.ts'
import { type Fail, MixlabError } from '../../errors.ts'
import { kindOf, unpacked } from './kind.ts'

/** What files of weights usually end in, by which they are found in a folder; one that is named may end in anything. */
const ENDINGS = ['.safetensors', '.npz', '.pt', '.pth', '.pth.tar', '.bin', '.ckpt', '.pkl', '.index.json']

/** Whether a path ends in one of these. */
const endsIn = (path: string, endings: readonly string[]) =>
  endings.some((ending) => path.toLowerCase().replace(/\.gz$/, '').endsWith(ending))

/** What Hugging Face and TensorFlow.js call the model of a folder, the first that is there; and what is none. */
const NAMES = ['model.safetensors', 'pytorch_model.bin'].flatMap((name) => [name, `${name}.index.json`])
const OTHERS = /^(?:optimizer|scheduler|scaler|training_args|rng_state.*)\.\w+$/

/** Where files are read. */
interface Files {
  list(path: string): Promise<{ name: string }[]>
  read(path: string): Promise<Uint8Array>
}

/**
 * The file of weights at a path, or in the folder there, in its parts without gzip: the shards that an index of Hugging Face
 * or a model.json lists; for a PyTorch module the tensors beside it, never its code. Throws MixlabError `weights`, and what
 * reading throws.
 */
export async function gatherWeights(path: string, files: Files): Promise<{ path: string; parts: Uint8Array[] }> {
  const fail = (what: string) => new MixlabError('weights', path, what)
  const entries = endsIn(path, [...ENDINGS, '.json', '.onnx', '.py']) ? null : await entriesIn(path, files)
  const at = entries ? join(path, chosenAmong(entries, fail)) : path
  const read = async (from: string) => unpacked(await files.read(from), fail)
  if (endsIn(at, ['.py'])) return { path: at, parts: [await read(`${at}.safetensors`)] }
  const first = await read(at)
  const kind = kindOf(first)
  const index = at.replace(/-\d{5}-of-\d{5}(\.\w+)$/, '$1.index.json')
  if (index !== at && kind !== null) throw fail(`is one part of several; name their index, ${parent(index).name}`)
  if (kind !== 'json') return { path: at, parts: [first] }
  const { names, parts } = listedIn(first, fail)
  for (const name of names) {
    if (/[\\/]|^\.\.?$/.test(name)) throw fail(`lists '${name}', expected the name of a file beside it`)
    parts.push(await read(at.replace(/[^/\\]*$/, () => name)))
    const sum = parts.reduce((bytes, part) => bytes + part.length, 0)
    if (sum > MAX_FILE_MEMORY) throw fail(`its parts take more than ${bytesText(MAX_FILE_MEMORY)}`)
  }
  return { path: at, parts }
}

/** What is in the folder at a path; null where there is none, as where it is a file. Throws for one named as a folder. */
async function entriesIn(path: string, files: Files): Promise<{ name: string }[] | null> {
  try {
    return await files.list(path)
  } catch (error) {
    if (/[/\\]$/.test(path)) throw error
    return null
  }
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
  throw fail('is JSON, but neither an index of weights, with a weight_map, nor a graph model of TensorFlow.js')
}

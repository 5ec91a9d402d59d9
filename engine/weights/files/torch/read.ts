import { type Fail, MixlabError } from '../../../errors.ts'
import type { Contents } from '../../safetensors.ts'
import { unzipped } from '../zip.ts'
import { unpickle } from './pickle.ts'
import { allowedIn, contentsOfViews, type Storage, viewsIn, widthOf } from './tensors.ts'

/**
 * The tensors of a checkpoint that `torch.save` wrote since PyTorch 1.6: a zip of a pickle and of each storage; null for
 * another zip. No code is run. Throws MixlabError `weights`; `source` names the file.
 */
export function readTorchZip(file: Uint8Array, source: string): Contents | null {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const about = Object.entries(unzipped(file, (name) => /(?:^|\/)(?:data\.pkl|byteorder)$/.test(name), fail))
  const [path, pickle] = about.find(([name]) => name.endsWith('data.pkl')) ?? []
  if (path === undefined || pickle === undefined) return null
  const isBig = about.some(([name, text]) => name.endsWith('byteorder') && new TextDecoder().decode(text) === 'big')
  if (isBig) throw fail(BIG)
  const found = viewsIn(unpickle(pickle, 0, allowedIn(fail), fail).value, fail)
  const pathOf = (storage: unknown) => path.replace(/data\.pkl$/, `data/${(storage as Storage | null)?.key}`)
  const needed = new Set([...found.views.values()].map(({ storage }) => pathOf(storage)))
  const data = unzipped(file, (name) => needed.has(name), fail)
  return contentsOfViews(found, (storage) => data[pathOf(storage)], file.length, fail)
}

const BIG = 'has its numbers big-endian, expected little-endian'

/** The number that an older checkpoint begins with, pickled. */
const MAGIC = 0x1950a86a20f9469cfc6cn

/**
 * The same of a checkpoint of before PyTorch 1.6, pickles of a number, of a version, of how the machine keeps numbers, of the
 * checkpoint, and of the keys of its storages, which follow; or of any other pickle, such as Python's `pickle.dump` writes.
 */
export function readTorchPickle(file: Uint8Array, source: string): Contents {
  const fail = (what: string) => new MixlabError('weights', source, what)
  /** A storage as tensors of a plain pickle have it: a checkpoint of itself. */
  const load = (bytes: Uint8Array) => {
    const { checkpoint, data } = olderIn(bytes, fail) ?? {}
    const storage = checkpoint as Storage | undefined
    return storage && { ...storage, bytes: data?.get(storage.key) }
  }
  const older = olderIn(file, fail)
  if (older)
    return contentsOfViews(viewsIn(older.checkpoint, fail), ({ key }) => older.data.get(key), file.length, fail)
  const { value } = unpickle(file, 0, allowedIn(fail, undefined, load), fail)
  return contentsOfViews(viewsIn(value, fail), () => undefined, file.length, fail)
}

/** A checkpoint of before PyTorch 1.6, and the bytes of its storages; null for another pickle. */
function olderIn(file: Uint8Array, fail: Fail) {
  const types = new Map<unknown, string>()
  const allowed = allowedIn(fail, ({ key, type }) => types.set(key, type))
  let at = 0
  const next = () => {
    const { value, end } = unpickle(file, at, allowed, fail)
    at = end
    return value
  }
  if (!isMagic(file) || next() !== MAGIC) return null
  const [, system, checkpoint, keys] = [next(), next(), next(), next()]
  if (system instanceof Map && system.get('little_endian') === false) throw fail(BIG)
  const data = new Map<unknown, Uint8Array>()
  for (const key of Array.isArray(keys) ? keys : []) {
    const [type, width] = [types.get(key), widthOf(types.get(key))]
    // without its length nothing behind it is found
    if (width === undefined)
      throw fail(`has values of type '${type}', which are not read; save it by PyTorch 1.6 or later`)
    if (at + 8 > file.length) throw fail('truncated: it ends before its last storage')
    const bytes = Number(new DataView(file.buffer, file.byteOffset + at).getBigInt64(0, true)) * width
    if (!(bytes >= 0 && at + 8 + bytes <= file.length)) throw fail('truncated: it ends within a storage')
    data.set(key, file.subarray(at + 8, at + 8 + bytes))
    at += 8 + bytes
  }
  return { checkpoint, data }
}

/** Whether a pickle is that of a whole number of ten bytes, perhaps in a frame. */
const isMagic = (file: Uint8Array) => {
  const at = file[2] === 0x95 ? 11 : 2
  return file[at] === 0x8a && file[at + 1] === 10
}

import { MixlabError } from '../../../errors.ts'
import type { Contents } from '../../safetensors.ts'
import { isKind, KINDS } from '../convert.ts'
import { unzipped } from '../zip.ts'
import { unpickle } from './pickle.ts'
import { allowedIn, contentsOfViews, type Storage, viewsIn } from './tensors.ts'

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

/** What an older checkpoint begins with: a pickled number. */
const MAGIC = [0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19, 0x2e]

export const isTorchPickle = (file: Uint8Array) => MAGIC.every((byte, i) => file[i] === byte)

/**
 * The same of a checkpoint of before PyTorch 1.6: pickles of a version, of how the machine keeps numbers, of the checkpoint,
 * and of the keys of its storages, which follow.
 */
export function readTorchPickle(file: Uint8Array, source: string): Contents {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const types = new Map<unknown, string>()
  const allowed = allowedIn(fail, ({ key, type }) => types.set(key, type))
  let at = MAGIC.length
  const [, system, checkpoint, keys] = Array.from({ length: 4 }, () => {
    const { value, end } = unpickle(file, at, allowed, fail)
    at = end
    return value
  })
  if (system instanceof Map && system.get('little_endian') === false) throw fail(BIG)
  const data = new Map<unknown, Uint8Array>()
  for (const key of Array.isArray(keys) ? keys : []) {
    const type = types.get(key)
    // without its length nothing behind it is found
    if (!isKind(type)) throw fail(`has values of type '${type}', which are not read; save it by PyTorch 1.6 or later`)
    if (at + 8 > file.length) throw fail('truncated: it ends before its last storage')
    const bytes = Number(new DataView(file.buffer, file.byteOffset + at).getBigInt64(0, true)) * KINDS[type]
    if (!(bytes >= 0 && at + 8 + bytes <= file.length)) throw fail('truncated: it ends within a storage')
    data.set(key, file.subarray(at + 8, at + 8 + bytes))
    at += 8 + bytes
  }
  return contentsOfViews(viewsIn(checkpoint, fail), ({ key }) => data.get(key), file.length, fail)
}

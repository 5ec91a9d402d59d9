import { MixlabError } from '../../../errors.ts'
import type { Contents } from '../contents.ts'
import { isKind, KINDS } from '../convert.ts'
import { unzipped } from '../zip.ts'
import { unpickle } from './pickle.ts'
import { allowedIn, type Storage, tensorsOf, viewsIn } from './tensors.ts'

/** What names the pickle among the entries of a checkpoint, behind the name of its folder. */
const PICKLE = 'data.pkl'

export const isTorchZip = (names: readonly string[]) => names.some((name) => name.endsWith(`/${PICKLE}`))

/**
 * The tensors of a checkpoint that `torch.save` wrote since PyTorch 1.6: a zip of a pickle and of each storage. No code is
 * run. Throws MixlabError `weights`; `source` names the file.
 */
export function readTorchZip(file: Uint8Array, source: string): Contents {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const about = unzipped(file, (name) => /(^|\/)(data\.pkl|byteorder)$/.test(name), fail)
  const [path = ''] = Object.keys(about).filter((name) => name.endsWith(`/${PICKLE}`))
  const folder = path.slice(0, -PICKLE.length)
  checkOrder(new TextDecoder().decode(about[`${folder}byteorder`] ?? new Uint8Array()) !== 'big', fail)
  const { value } = unpickle(about[path] as Uint8Array, 0, allowedIn(fail), fail)
  const { views, left } = viewsIn(value, fail)
  const pathOf = ({ key }: Storage) => `${folder}data/${key}`
  const needed = new Set([...views.values()].map(({ storage }) => pathOf(storage)))
  const data = unzipped(file, (name) => needed.has(name), fail)
  const found = tensorsOf(views, (storage) => data[pathOf(storage)], fail)
  return { tensors: found.tensors, left: [...left, ...found.left], description: null }
}

/** What an older checkpoint begins with: a pickled number. */
const MAGIC = [0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19, 0x2e]

export const isTorchPickle = (file: Uint8Array) => MAGIC.every((byte, i) => file[i] === byte)

/**
 * The same of a checkpoint of before PyTorch 1.6: pickles of a version, of how the machine keeps numbers, of the checkpoint,
 * and of the keys of its storages, which follow.
 */
export function readTorchPickle(file: Uint8Array, source: string): Contents {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const storages = new Map<string, Storage>()
  const allowed = allowedIn(fail, (storage) => storages.set(storage.key, storage))
  let at = MAGIC.length
  const next = () => {
    const { value, end } = unpickle(file, at, allowed, fail)
    at = end
    return value
  }
  next() // the version of the protocol
  const system = next()
  checkOrder(!(system instanceof Map) || system.get('little_endian') !== false, fail)
  const checkpoint = next()
  const keys = next()
  const data = new Map<string, Uint8Array>()
  for (const key of Array.isArray(keys) ? keys : []) {
    const type = storages.get(key)?.type
    if (type === undefined) throw fail('damaged: it has a storage that no tensor is in')
    // values of a type that is not read have no length that is known, so that nothing behind them is found
    if (!isKind(type))
      throw fail(`has values of type '${type}', which are not read; save it in the format of PyTorch 1.6`)
    if (at + 8 > file.length) throw fail(`truncated: it ends before storage '${key}'`)
    const bytes = Number(new DataView(file.buffer, file.byteOffset + at).getBigInt64(0, true)) * KINDS[type]
    if (!(bytes >= 0 && at + 8 + bytes <= file.length)) throw fail(`truncated: it ends within storage '${key}'`)
    data.set(key, file.subarray(at + 8, at + 8 + bytes))
    at += 8 + bytes
  }
  const { views, left } = viewsIn(checkpoint, fail)
  const found = tensorsOf(views, ({ key }) => data.get(key), fail)
  return { tensors: found.tensors, left: [...left, ...found.left], description: null }
}

function checkOrder(isLittle: boolean, fail: (what: string) => MixlabError): void {
  if (!isLittle) throw fail('has its numbers big-endian, expected little-endian')
}

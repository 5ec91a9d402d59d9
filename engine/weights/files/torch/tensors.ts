import { bytesText, MAX_FILE_MEMORY } from '../../../data/inflate.ts'
import { type Fail, quoted } from '../../../errors.ts'
import { rowMajor, strided } from '../../../nn/layout.ts'
import type { Contents, NamedTensor } from '../../safetensors.ts'
import { convert, isKind, KINDS } from '../convert.ts'
import { type Allowed, isInert } from './pickle.ts'

/** Values that tensors share, by their key in the file. */
export interface Storage {
  key: string
  /** As safetensors names the type of its values, or PyTorch where that is none which is read. */
  type: string
  /** Where in it a view of it begins, in values; of old files. */
  start: number
}

/** A tensor as a checkpoint describes it: a window on a storage, in values. */
type TensorView = Record<'storage' | 'offset' | 'shape' | 'strides', unknown>
const isView = (value: unknown): value is TensorView =>
  typeof value === 'object' && value !== null && 'strides' in value

/** Types of values, by the name of PyTorch's storages and of its dtypes. */
const TYPES: Record<string, string> = {
  ...{ FloatStorage: 'F32', HalfStorage: 'F16', BFloat16Storage: 'BF16', DoubleStorage: 'F64', IntStorage: 'I32' },
  ...{ LongStorage: 'I64', ShortStorage: 'I16', CharStorage: 'I8', ByteStorage: 'U8', BoolStorage: 'BOOL' },
  ...{ float32: 'F32', float16: 'F16', bfloat16: 'BF16', float64: 'F64', int32: 'I32', int64: 'I64', int16: 'I16' },
  ...{ int8: 'I8', uint8: 'U8', bool: 'BOOL' },
}
const TYPE_NAME = /^torch\.(?:storage\.)?((?:[A-Z]\w*)?Storage|(?:b?float|u?int|complex|qu?int)\d\w*|bool)$/
const typeOf = (name: string) => {
  const own = TYPE_NAME.exec(name)?.[1] ?? name
  return TYPES[own] ?? own
}

/** What stands beside tensors in checkpoints, and is left out. */
const INERT =
  /^(?:argparse\.Namespace|types\.SimpleNamespace|pathlib\.\w*Path|datetime\.\w+|_codecs\.encode|torch\.(?:device|Generator)|numpy\.(?:dtype|ndarray|_?core\.multiarray\.(?:scalar|_reconstruct)))$/
/** Lists of Python, by what they are called with. */
const LIST = /^(?:torch\.Size|(?:builtins|__builtin__)\.(?:set|frozenset|list|tuple))$/

const view = ([storage, offset, shape, strides]: unknown[]): TensorView => ({ storage, offset, shape, strides })
const first = ([value]: unknown[]) => value

/** What a checkpoint may name, and what it makes of what it is called with. */
const GLOBALS: Record<string, (given: unknown[]) => unknown> = {
  'torch._utils._rebuild_tensor': view,
  'torch._utils._rebuild_tensor_v2': view,
  'torch._utils._rebuild_tensor_v3': ([storage, offset, shape, strides, , , type]) =>
    view([{ ...(storage as Storage), type: isInert(type) ? typeOf(type.inert) : '' }, offset, shape, strides]),
  'torch._utils._rebuild_parameter': first,
  'torch._utils._rebuild_parameter_with_state': first,
  'torch._tensor._rebuild_from_type_v2': ([make, , given]) =>
    typeof make === 'function' && Array.isArray(given) ? make(given) : null,
  'torch.nn.parameter.Parameter': first,
  'collections.OrderedDict': ([pairs]) => new Map(Array.isArray(pairs) ? (pairs.filter(Array.isArray) as []) : []),
  'collections.defaultdict': () => new Map(),
  'collections.Counter': ([map]) => (map instanceof Map ? map : new Map()),
}

/** What the pickles of a checkpoint may have; `hear` is given each storage that is named. */
export function allowedIn(fail: Fail, hear: (storage: Storage) => void = () => {}): Allowed {
  return {
    global: (name) => {
      if (Object.hasOwn(GLOBALS, name)) return GLOBALS[name]
      if (LIST.test(name)) return ([values]: unknown[]) => values ?? []
      return INERT.test(name) || TYPE_NAME.test(name) ? { inert: name } : undefined
    },
    persistent: (id) => {
      const [kind, type, key, , , within] = Array.isArray(id) ? id : []
      if (kind !== 'storage' || !isInert(type) || typeof key !== 'string') throw fail('its pickle names no storage')
      const found = { key, type: typeOf(type.inert), start: Array.isArray(within) ? Number(within[1]) : 0 }
      hear(found)
      return found
    },
  }
}

/** The tensors of a checkpoint by name, and what else is in it, in words. */
interface Views {
  views: Map<string, TensorView>
  left: string[]
}

/** How deep dicts of tensors may be in each other; most names of what was left out. */
const [DEEPEST, NAMED] = [8, 8]
/** Dicts of tensors that are no model. */
const STATE = /optim/i

/**
 * The tensors of the model in a checkpoint, by name: of a dict of them, or of the dicts of them in it, whose names stand in
 * front where there are several. `left` says what else is there. Throws what `fail` makes where there are none.
 */
export function viewsIn(checkpoint: unknown, fail: Fail): Views {
  const dicts = new Map<string, [string, TensorView][]>()
  const seen = new Set<unknown>()
  const collect = (map: Map<unknown, unknown>, path: string[]) => {
    if (seen.has(map) || path.length > DEEPEST) return
    seen.add(map)
    const named = [...map].filter((entry): entry is [string, unknown] => typeof entry[0] === 'string')
    const own = named.filter((entry): entry is [string, TensorView] => isView(entry[1]))
    if (own.length > 0) dicts.set(path.map((part) => `${part}.`).join(''), own)
    for (const [name, value] of named) if (value instanceof Map && !STATE.test(name)) collect(value, [...path, name])
  }
  const top = checkpoint instanceof Map ? checkpoint : new Map()
  collect(top, [])
  if (dicts.size > 1) dicts.delete('') // single tensors beside dicts of them: the state of a random generator and the like
  const several = dicts.size > 1
  const found = [...dicts].flatMap(([front, own]) => own.map(([name, view]) => [several ? front + name : name, view]))
  if (found.length === 0) throw fail('has no tensors by name; save torch.save(model.state_dict(), path)')
  const taken = new Set([...dicts].flatMap(([front, own]) => front.split('.')[0] || own.map(([name]) => name)))
  const left = [...top.keys()].map(String).filter((name) => !taken.has(name))
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : ''
  const words = left.length > 0 && `left out of the file: ${left.slice(0, NAMED).map(quoted).join(', ')}${more}`
  return { views: new Map(found as [string, TensorView][]), left: words ? [words] : [] }
}

/** Bytes that the tensors of a small file may take, and how many times those of a large one: they overlap and share. */
const [MOST_SMALL, MOST_TIMES] = [2 ** 24, 16]

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isCounts = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length <= 32 && value.every(isCount)

/**
 * The values of tensors; `bytesOf` gives the bytes of a storage. Tensors may be turned, overlap and share. Those of a
 * type that is not read are left out. Throws what `fail` makes where one reaches beyond its storage, and where all take
 * more than a file of so many bytes can mean.
 */
export function contentsOfViews(
  { views, left }: Views,
  bytesOf: (storage: Storage) => Uint8Array | undefined,
  size: number,
  fail: Fail,
): Contents {
  const unread: string[] = []
  const most = Math.min(MAX_FILE_MEMORY, MOST_SMALL + MOST_TIMES * size)
  let sum = 0
  const tensors = [...views].flatMap(([name, { storage, offset, shape, strides }]): NamedTensor[] => {
    const wrong = (what: string) => fail(`tensor ${quoted(name)} ${what}`)
    const { key = '', type = '', start } = (storage ?? {}) as Partial<Storage>
    const isSound = isCount(start) && isCount(offset) && isCounts(shape) && isCounts(strides)
    if (!isSound || shape.length !== strides.length) throw wrong('has no valid shape, strides and offset')
    if (!isKind(type)) {
      unread.push(`tensor ${quoted(name)} of type ${quoted(type)} is not read`)
      return []
    }
    const count = shape.includes(0) ? 0 : shape.reduce((product, length) => product * length, 1)
    const reach = shape.reduce((last, length, axis) => last + (length - 1) * (strides[axis] as number), 1)
    const [from, span] = [start + offset, count === 0 ? 0 : reach] // in values
    const bytes = bytesOf({ key, type, start })
    const there = Math.floor((bytes?.length ?? 0) / KINDS[type])
    if (!bytes || from + span > there) throw wrong(`ends at value ${from + span} of its storage, which has ${there}`)
    sum += 4 * Math.max(count, span)
    if (sum > most) throw fail(`its tensors take more than ${bytesText(most)}`)
    const lying = convert(type, bytes.subarray(from * KINDS[type], (from + span) * KINDS[type]), [span], wrong)
    const isPacked = count === 0 || rowMajor(shape).every((step, axis) => shape[axis] === 1 || step === strides[axis])
    return [{ name, shape, values: isPacked ? lying : strided(lying, shape, strides) }]
  })
  return { tensors, left: [...left, ...unread], description: null }
}

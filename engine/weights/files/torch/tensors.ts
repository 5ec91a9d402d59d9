import { bytesText, MEMORY } from '../../../data/inflate.ts'
import { type MixlabError, quoted } from '../../../errors.ts'
import type { NamedTensor } from '../../safetensors.ts'
import { convert, isKind, KINDS } from '../convert.ts'
import { type Allowed, type Inert, isInert } from './pickle.ts'

type Fail = (what: string) => MixlabError

/** Values that tensors share, by their key in the file. */
export interface Storage {
  key: string
  /** As safetensors names the type of its values, or PyTorch where that is none which is read. */
  type: string
  /** Where in it a view of it begins, in values; of old files. */
  start: number
}

/** A tensor as a checkpoint describes it: a window on a storage, in values. */
interface TensorView {
  storage: Storage
  offset: unknown
  shape: unknown
  strides: unknown
}
const isView = (value: unknown): value is TensorView =>
  typeof value === 'object' && value !== null && 'storage' in value

/** Types of values, by the name of PyTorch's storages and of its dtypes. */
const TYPES: Record<string, string> = {
  ...{ FloatStorage: 'F32', HalfStorage: 'F16', BFloat16Storage: 'BF16', DoubleStorage: 'F64', IntStorage: 'I32' },
  ...{ LongStorage: 'I64', ShortStorage: 'I16', CharStorage: 'I8', ByteStorage: 'U8', BoolStorage: 'BOOL' },
  ...{ float32: 'F32', float16: 'F16', bfloat16: 'BF16', float64: 'F64', int32: 'I32', int64: 'I64', int16: 'I16' },
  ...{ int8: 'I8', uint8: 'U8', bool: 'BOOL' },
}

/** What stands beside tensors in checkpoints, and is left out. */
const INERT = [
  ...['argparse.Namespace', 'pathlib.PosixPath', 'pathlib.Path', 'pathlib.WindowsPath', 'datetime.datetime'],
  ...['numpy.dtype', 'numpy.ndarray', '_codecs.encode', 'torch.device', 'torch.Generator', 'types.SimpleNamespace'],
  ...['multiarray.scalar', 'multiarray._reconstruct'].flatMap((name) => [`numpy.core.${name}`, `numpy._core.${name}`]),
]

const view = ([storage, offset, shape, strides]: unknown[]) => ({ storage, offset, shape, strides })
const first = ([value]: unknown[]) => value
const list = ([values]: unknown[]) => values ?? []

/** What a checkpoint may name, and what it makes of what it is called with. */
const GLOBALS: Record<string, (given: unknown[]) => unknown> = {
  'torch._utils._rebuild_tensor': view,
  'torch._utils._rebuild_tensor_v2': view,
  'torch._utils._rebuild_tensor_v3': (given) => {
    const [storage, type] = [given[0] as Storage, given[6] as Inert]
    return view([{ ...storage, type: typeOf(type?.inert ?? '') }, ...given.slice(1)])
  },
  'torch._utils._rebuild_parameter': first,
  'torch._utils._rebuild_parameter_with_state': first,
  'torch._tensor._rebuild_from_type_v2': ([make, , given]) =>
    typeof make === 'function' && Array.isArray(given) ? make(given) : null,
  'torch.nn.parameter.Parameter': first,
  'torch.Size': list,
  'collections.OrderedDict': ([pairs]) => new Map(Array.isArray(pairs) ? (pairs.filter(Array.isArray) as []) : []),
  'collections.defaultdict': () => new Map(),
  'collections.Counter': ([map]) => (map instanceof Map ? map : new Map()),
  ...Object.fromEntries(['set', 'frozenset', 'list', 'tuple'].map((name) => [`builtins.${name}`, list])),
  ...Object.fromEntries(['set', 'frozenset', 'list', 'tuple'].map((name) => [`__builtin__.${name}`, list])),
}

/** Whether a name is that of a type of values: `torch.float32`, `torch.FloatStorage`, `torch.float8_e4m3fn`. */
const TYPE_NAME = /^torch\.(?:storage\.)?((?:[A-Z]\w*)?Storage|(?:b?float|u?int|complex|qu?int)\d\w*|bool)$/

const typeOf = (name: string) => {
  const [, own = name] = TYPE_NAME.exec(name) ?? []
  return TYPES[own] ?? own
}

/** What the pickles of a checkpoint may have; `storage` hears of each storage that is named, with its number of values. */
export function allowedIn(fail: Fail, storage: (found: Storage, count: number) => void = () => {}): Allowed {
  return {
    global: (name) => {
      if (Object.hasOwn(GLOBALS, name)) return GLOBALS[name]
      return INERT.includes(name) || TYPE_NAME.test(name) ? { inert: name } : undefined
    },
    persistent: (id) => {
      const [kind, type, key, , count, within] = Array.isArray(id) ? id : []
      if (kind !== 'storage' || !isInert(type) || typeof key !== 'string' || !isCount(count))
        throw fail('damaged: its pickle refers to what is no storage of values')
      const start = Array.isArray(within) && isCount(within[1]) ? within[1] : 0
      const found = { key, type: typeOf(type.inert), start }
      storage(found, count)
      return found
    },
  }
}

/** How deep dicts of tensors may be in each other. */
const DEEPEST = 8
/** Dicts of tensors that are no model. */
const STATE = /optim/i
/** Most names of what was left out. */
const NAMED = 8

/**
 * The tensors of the model in a checkpoint, by name: of a dict of them, or of the dicts of them in it, whose name stands in
 * front where there are several. `left` says what else is there. Throws what `fail` makes where there are none.
 */
export function viewsIn(checkpoint: unknown, fail: Fail): { views: Map<string, TensorView>; left: string[] } {
  if (!(checkpoint instanceof Map)) throw fail('is no dict of tensors; save torch.save(model.state_dict(), path)')
  const dicts = new Map<string, Map<string, TensorView>>()
  const seen = new Set<unknown>()
  const collect = (map: Map<unknown, unknown>, prefix: string) => {
    if (seen.has(map) || prefix.split('.').length > DEEPEST) return
    seen.add(map)
    for (const [name, value] of map) {
      if (typeof name !== 'string') continue
      if (isView(value)) dicts.set(prefix, (dicts.get(prefix) ?? new Map()).set(name, value))
      if (value instanceof Map && !STATE.test(name)) collect(value, `${prefix}${name}.`)
    }
  }
  collect(checkpoint, '')
  // a single tensor beside dicts of them is the state of a random generator and the like
  if (dicts.size > 1) dicts.delete('')
  const views = new Map(
    [...dicts].flatMap(([prefix, own]) =>
      [...own].map(([name, view]) => [(dicts.size > 1 ? prefix : '') + name, view] as const),
    ),
  )
  if (views.size === 0) throw fail('has no tensors by name; save torch.save(model.state_dict(), path)')
  const taken = (name: unknown) =>
    dicts.get('')?.has(String(name)) || [...dicts.keys()].some((prefix) => prefix.startsWith(`${name}.`))
  const left = [...checkpoint.keys()].filter((name) => !taken(name)).map((name) => quoted(String(name)))
  const more = left.length - NAMED
  return {
    views,
    left:
      left.length > 0
        ? [`left out of the file: ${left.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
        : [],
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isCounts = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length <= 32 && value.every(isCount)

/**
 * The values of tensors, of which `bytesOf` gives those of a storage. Tensors may be turned, overlap and share. What is of a
 * type that is not read is left out. Throws what `fail` makes where one reaches beyond its storage.
 */
export function tensorsOf(
  views: ReadonlyMap<string, TensorView>,
  bytesOf: (storage: Storage) => Uint8Array | undefined,
  fail: Fail,
): { tensors: NamedTensor[]; left: string[] } {
  const left: string[] = []
  let sum = 0
  const tensors = [...views].flatMap(([name, { storage, offset, shape, strides }]): NamedTensor[] => {
    const wrong = (what: string) => fail(`tensor ${quoted(name)} ${what}`)
    const { key, type, start }: Partial<Storage> = storage ?? {}
    if (
      key === undefined ||
      type === undefined ||
      start === undefined ||
      !isCount(offset) ||
      !isCounts(shape) ||
      !isCounts(strides) ||
      shape.length !== strides.length
    )
      throw wrong('has no valid shape, strides and offset')
    if (!isKind(type)) {
      left.push(`tensor ${quoted(name)} of type ${quoted(type)} is not read`)
      return []
    }
    const count = shape.includes(0) ? 0 : shape.reduce((product, length) => product * length, 1)
    const span =
      count === 0 ? 0 : 1 + shape.reduce((last, length, axis) => last + (length - 1) * (strides[axis] as number), 0)
    const [width, from] = [KINDS[type], start + offset]
    const bytes = bytesOf(storage)
    if (!bytes || (from + span) * width > bytes.length)
      throw wrong(
        `is values ${from} to ${from + span} of storage ${quoted(key)}, which has ${bytes ? Math.floor(bytes.length / width) : 'none'}`,
      )
    sum += 4 * Math.max(count, span)
    if (sum > MEMORY) throw fail(`its tensors take more than ${bytesText(MEMORY)}`)
    const lying = convert(type, bytes.subarray(from * width, (from + span) * width), [span], wrong)
    return [{ name, shape, values: isRowByRow(shape, strides) ? lying : gathered(lying, shape, strides, count) }]
  })
  return { tensors, left }
}

function isRowByRow(shape: readonly number[], strides: readonly number[]): boolean {
  let wanted = 1
  return (
    shape.every((_, i) => {
      const axis = shape.length - 1 - i
      const [length, stride] = [shape[axis] as number, strides[axis]]
      const fits = length === 1 || stride === wanted
      wanted *= length
      return fits
    }) || shape.includes(0)
  )
}

/** Values at the places that strides say, row by row. */
function gathered<Values extends Float32Array | Int32Array>(
  lying: Values,
  shape: readonly number[],
  strides: readonly number[],
  count: number,
): Values {
  const values = (lying instanceof Int32Array ? new Int32Array(count) : new Float32Array(count)) as Values
  const index = shape.map(() => 0)
  let from = 0
  for (let to = 0; to < count; to++) {
    values[to] = lying[from] as number
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const [length, stride] = [shape[axis] as number, strides[axis] as number]
      index[axis] = (index[axis] as number) + 1
      from += stride
      if ((index[axis] as number) < length) break
      from -= length * stride
      index[axis] = 0
    }
  }
  return values
}

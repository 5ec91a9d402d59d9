import { MAX_FILE_MEMORY } from '../../../data/inflate.ts'
import { type Fail, quoted } from '../../../errors.ts'
import { rowMajor, strided } from '../../../nn/layout.ts'
import type { Contents, NamedTensor } from '../../safetensors.ts'
import { checkMemory, convert, isKind, KINDS, swapped } from '../convert.ts'
import { listedText, type Unread, unreadText } from '../left.ts'
import { Dtype, PickledArray } from './numpy.ts'
import { type Allowed, type Inert, inertOf, isInert } from './pickle.ts'

/** Values that tensors share, by their key in the file. */
export interface Storage {
  key: string
  /** As safetensors names the type of its values, or PyTorch where that is none which is read. */
  type: string
  /** Where in it a view of it begins, in values; of old files. */
  start: number
  /** Its values, where they stand in the pickle itself. */
  bytes?: Uint8Array | undefined
  /** Whether these are big-endian. */
  isBig?: boolean
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
  return Object.hasOwn(TYPES, own) ? (TYPES[own] as string) : own
}
/** The bytes of a value of types that are not read, without which nothing behind them is found in an old file. */
const WIDTHS: Record<string, number> = {
  ...{ ComplexHalfStorage: 4, ComplexFloatStorage: 8, ComplexDoubleStorage: 16, QInt32Storage: 4, UntypedStorage: 1 },
  ...{ QInt8Storage: 1, QUInt8Storage: 1, QUInt4x2Storage: 1, QUInt2x4Storage: 1 },
}
export const widthOf = (type: string | undefined) => (isKind(type) ? KINDS[type] : WIDTHS[type ?? ''])

/** Code that programs run by their name, which no checkpoint needs: it is refused. All other code does nothing here. */
const RUNS =
  /^(?:os|posix|nt|subprocess|runpy|pickle|_pickle)\.|^(?:builtins|__builtin__)\.(?:eval|exec|execfile|compile|open|__import__)$/
/** Lists of Python, by what they are called with. */
const LIST = /^(?:torch\.Size|(?:builtins|__builtin__)\.(?:set|frozenset|list|tuple))$/

const view = ([storage, offset, shape, strides]: unknown[]): TensorView => ({ storage, offset, shape, strides })
/** A tensor that is no window on a storage, such as a sparse one. */
const otherView = (type: string) => view([{ key: '', type, start: 0 } satisfies Storage, 0, [], []])
const first = ([value]: unknown[]) => value
/** Dicts of lists of pairs, each made once: a pickle may call with one list a million times. */
const dictsOf = new WeakMap<object, Map<unknown, unknown>>()
const dict = ([pairs]: unknown[]) => {
  if (pairs instanceof Map || !Array.isArray(pairs)) return pairs instanceof Map ? pairs : new Map()
  const made = dictsOf.get(pairs) ?? new Map(pairs.filter(Array.isArray) as [])
  dictsOf.set(pairs, made)
  return made
}
/** An object of a class, which is its first argument. */
const reconstructed = ([made, ...given]: unknown[]) => inertOf(isInert(made) ? made.inert : 'object', ...given)

/** What a checkpoint may name, and what it makes of what it is called with. */
const GLOBALS: Record<string, (given: unknown[]) => unknown> = {
  'torch._utils._rebuild_tensor': view,
  'torch._utils._rebuild_tensor_v2': view,
  'torch._utils._rebuild_tensor_v3': ([storage, offset, shape, strides, , , type]) =>
    view([{ ...(storage as Storage), type: isInert(type) ? typeOf(type.inert) : '' }, offset, shape, strides]),
  'torch._utils._rebuild_qtensor': view,
  'torch._utils._rebuild_parameter': first,
  'torch._utils._rebuild_parameter_with_state': first,
  'torch._tensor._rebuild_from_type_v2': ([make, , given]) =>
    typeof make === 'function' && Array.isArray(given) ? make(given) : null,
  'torch.nn.parameter.Parameter': first,
  ...{ 'collections.OrderedDict': dict, 'builtins.dict': dict, '__builtin__.dict': dict },
  'collections.defaultdict': () => new Map(),
  'collections.Counter': dict,
  ...{ 'copyreg._reconstructor': reconstructed, 'copy_reg._reconstructor': reconstructed },
  ...{
    'builtins.bytes': ([bytes]) => bytes ?? new Uint8Array(),
    '__builtin__.bytes': ([bytes]) => bytes ?? new Uint8Array(),
  },
  'numpy.dtype': ([type]) => new Dtype(type),
  ...Object.fromEntries(
    ['core', '_core'].flatMap((core) => [
      [`numpy.${core}.multiarray._reconstruct`, () => new PickledArray()],
      [
        `numpy.${core}.numeric._frombuffer`,
        ([bytes, type, shape, order]: unknown[]) => PickledArray.of([1, shape, type, order === 'F', bytes]),
      ],
    ]),
  ),
}
const REBUILD = /^torch\._utils\._rebuild_(\w+?)(?:_tensor)?$/

/** How much longer a step of a pickle takes than a byte of a text. */
const STEPS_COST = 16

/** What the pickles of a checkpoint make of names; `hear` is given each storage that is named, `load` bytes of another checkpoint. */
export function allowedIn(
  fail: Fail,
  hear: (storage: Storage) => void = () => {},
  load?: (bytes: Uint8Array) => unknown,
): Allowed {
  let spent = 0
  /** Calls that take as long as what they are given may be called with the same a million times. */
  const spend = (bytes: number) => {
    spent += bytes
    if (spent > MAX_FILE_MEMORY) throw fail('its pickle takes too long')
  }
  const latin1 = ([text]: unknown[]) => {
    if (typeof text !== 'string') return text
    spend(text.length)
    const bytes = new Uint8Array(text.length)
    for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at) // 50 times as fast as Uint8Array.from
    return bytes
  }
  return {
    global: (name) => {
      if (Object.hasOwn(GLOBALS, name)) return GLOBALS[name]
      if (LIST.test(name)) return ([values]: unknown[]) => values ?? []
      if (/^_codecs\.encode$|^(?:builtins|__builtin__)\.bytearray$/.test(name)) return latin1
      if (load && name === 'torch.storage._load_from_bytes') {
        return ([bytes]: unknown[]) => {
          if (!(bytes instanceof Uint8Array)) return null
          spend(STEPS_COST * bytes.length)
          return load(bytes)
        }
      }
      const rebuilt = REBUILD.exec(name)?.[1]
      if (rebuilt !== undefined) return () => otherView(rebuilt)
      if (RUNS.test(name)) throw fail(codeText(name))
      return inertOf(name)
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

const SAVE = 'torch.save(model.state_dict(), path)'
const codeText = (name: string) =>
  `names ${quoted(name)}, which is code, and none is run here; save the tensors alone, ${SAVE}`

/** The tensors of a checkpoint by name, and what else is in it, in words. */
interface Views {
  views: Map<string, TensorView>
  left: string[]
  /** The dict that all are in, as in `state_dict.`; empty where it is the checkpoint itself, or where there are several. */
  front: string
}

/** How deep dicts of tensors may be in each other. */
const DEEPEST = 8
/** Dicts of tensors that are no model. */
const STATE = /optim/i

/** What is in a dict of Python, or in an object of a class that is a sort of dict. */
const itemsOf = (value: unknown): Map<unknown, unknown> | null =>
  value instanceof Map ? value : isInert(value) ? value.items : null

/**
 * The tensors of the model in a checkpoint, by name: of a dict of them, or of the dicts of them in it, whose names stand in
 * front where there are several. `left` says what else is there. Throws what `fail` makes where there are none.
 */
export function viewsIn(checkpoint: unknown, fail: Fail): Views {
  const dicts = new Map<string, [string, TensorView][]>()
  const paths = new Map<Map<unknown, unknown>, string>()
  const collect = (map: Map<unknown, unknown>, path: string[]) => {
    if (paths.has(map) || path.length > DEEPEST) return
    const front = path.map((part) => `${part}.`).join('')
    paths.set(map, front)
    const named = [...map].filter((entry): entry is [string, unknown] => typeof entry[0] === 'string')
    const own = named.filter((entry): entry is [string, TensorView] => isView(entry[1]))
    if (own.length > 0) dicts.set(front, own)
    for (const [name, value] of named) {
      const below = itemsOf(value)
      if (below && !STATE.test(name)) collect(below, [...path, name])
    }
  }
  collect(itemsOf(checkpoint) ?? new Map(), [])
  // single tensors beside dicts of them: the state of a random generator and the like
  const most = Math.max(0, ...[...dicts].map(([front, own]) => (front === '' ? 0 : own.length)))
  if ((dicts.get('')?.length ?? 0) <= most) dicts.delete('')
  const several = dicts.size > 1
  const found = [...dicts].flatMap(([front, own]) => own.map(([name, view]) => [several ? front + name : name, view]))
  const views = new Map(found as [string, TensorView][])
  const taken = new Set<unknown>(views.values())
  if (views.size === 0) throw fail(noneText(tensorsIn(checkpoint, taken, new Set())))
  if (views.size < found.length) throw fail('has two tensors of one name in its dicts')
  const [front = ''] = several ? [] : dicts.keys()
  return { views, front, left: leftIn(checkpoint, dicts, paths, taken) }
}

const noneText = ({ count, by }: Lost) => {
  if (by !== null) return codeText(by)
  return `has no tensors by name; save ${SAVE}${count > 0 ? `; it has ${count} without a name` : ''}`
}

/** What is in a checkpoint beside the dicts that were taken, in words; what has tensors comes first. */
function leftIn(
  checkpoint: unknown,
  dicts: ReadonlyMap<string, unknown>,
  paths: ReadonlyMap<Map<unknown, unknown>, string>,
  taken: ReadonlySet<unknown>,
): string[] {
  const left: { name: string; lost: Lost; same: string | undefined }[] = []
  const seen = new Set<unknown>()
  const visit = (map: Map<unknown, unknown>, front: string) => {
    for (const [key, value] of map) {
      if (isView(value) && typeof key === 'string' && dicts.has(front) && taken.has(value)) continue
      const isPlain = ['string', 'number', 'boolean', 'bigint'].includes(typeof key)
      const [name, below] = [`${front}${isPlain ? String(key) : '(a key that is no text)'}`, itemsOf(value)]
      const at = below && paths.get(below)
      if (below && at === `${name}.` && [...dicts.keys()].some((each) => each.startsWith(at))) visit(below, at)
      else left.push({ name, lost: tensorsIn(value, taken, seen), same: at && at !== `${name}.` ? at : undefined })
    }
  }
  visit(itemsOf(checkpoint) ?? new Map(), '')
  const words = left
    .sort((a, b) => Number(b.lost.count > 0) - Number(a.lost.count > 0))
    .map(({ name, lost, same }) => `${quoted(name)}${same ? ` (the same as ${quoted(same)})` : lostText(lost)}`)
  return words.length > 0 ? [`left out of the file: ${listedText(words)}`] : []
}

/** How many tensors are in something that was not taken, and in an object of which class, if it is one. */
interface Lost {
  count: number
  by: string | null
}

const lostText = ({ count, by }: Lost) =>
  count === 0 ? '' : ` (${count} ${count === 1 ? 'tensor' : 'tensors'}${by === null ? '' : ` of a ${by}`})`

function tensorsIn(value: unknown, taken: ReadonlySet<unknown>, seen: Set<unknown>): Lost {
  const lost: Lost = { count: 0, by: null }
  const todo: { value: unknown; by: Inert | null }[] = [{ value, by: null }]
  for (let each = todo.pop(); each !== undefined; each = todo.pop()) {
    const { value } = each
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) continue
    seen.add(value)
    if (isView(value)) {
      if (taken.has(value)) continue
      lost.count++
      lost.by ??= each.by?.inert ?? null
      continue
    }
    const by = each.by ?? (isInert(value) ? value : null)
    const parts = [Array.isArray(value) ? value : [], itemsOf(value)?.values() ?? [], isInert(value) ? value.held : []]
    for (const part of parts) for (const inner of part) todo.push({ value: inner, by })
  }
  return lost
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isCounts = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length <= 32 && value.every(isCount)

/**
 * The values of tensors; `bytesOf` gives the bytes of a storage. Tensors may be turned, overlap and share. Those of a
 * type that is not read are left out. Throws what `fail` makes where one reaches beyond its storage, and where all take
 * more than a file of so many bytes can mean.
 */
export function contentsOfViews(
  { views, left, front }: Views,
  bytesOf: (storage: Storage) => Uint8Array | undefined,
  size: number,
  fail: Fail,
): Contents {
  const unread: Unread[] = []
  let sum = 0
  const tensors = [...views].flatMap(([name, { storage, offset, shape, strides }]): NamedTensor[] => {
    const wrong = (what: string) => fail(`tensor ${quoted(name)} ${what}`)
    const { key = '', type = '', start, bytes: own, isBig = false } = (storage ?? {}) as Partial<Storage>
    const isSound = isCount(start) && isCount(offset) && isCounts(shape) && isCounts(strides)
    if (!isSound || shape.length !== strides.length) throw wrong('has no valid shape, strides and offset')
    if (!isKind(type)) {
      unread.push([name, type])
      return []
    }
    const count = shape.includes(0) ? 0 : shape.reduce((product, length) => product * length, 1)
    const reach = shape.reduce((last, length, axis) => last + (length - 1) * (strides[axis] as number), 1)
    const [from, span] = [start + offset, count === 0 ? 0 : reach] // in values
    const bytes = own ?? bytesOf({ key, type, start })
    const there = Math.floor((bytes?.length ?? 0) / KINDS[type])
    if (!bytes || from + span > there) throw wrong(`ends at value ${from + span} of its storage, which has ${there}`)
    sum += 4 * Math.max(count, span)
    checkMemory(sum, size, fail)
    const window = bytes.subarray(from * KINDS[type], (from + span) * KINDS[type])
    const lying = convert(type, isBig ? swapped(window, KINDS[type]) : window, [span], wrong)
    const isPacked = count === 0 || rowMajor(shape).every((step, axis) => shape[axis] === 1 || step === strides[axis])
    return [{ name, shape, values: isPacked ? lying : strided(lying, shape, strides) }]
  })
  return { tensors, left: [...left, ...unreadText(unread)], front, description: null }
}

import { type Fail, MixlabError, quoted } from '../../errors.ts'
import { rowMajor, strided } from '../../nn/layout.ts'
import { type Contents, DESCRIPTION, type NamedTensor } from '../safetensors.ts'
import { checkMemory, checkSize, convert, type Kind, swapped } from './convert.ts'
import { kindOf } from './kind.ts'
import { leftText, namesText, type Unread, unreadText } from './left.ts'
import { unzipped } from './zip.ts'

/** The types of values in .npy that are read. */
const KINDS: Record<string, Kind> = {
  ...{ f2: 'F16', f4: 'F32', f8: 'F64', i4: 'I32', i8: 'I64', i2: 'I16', i1: 'I8', u1: 'U8', b1: 'BOOL' },
}

/** Longest header of an array, in bytes. */
const MAX_HEADER = 65_535
/** As numpy has it. */
export const MOST_AXES = 64
/** Longest description, in bytes. */
const MAX_TEXT = 1e8

/** What the description of an exported model is called among the arrays. */
export const DESCRIPTION_FILE = `${DESCRIPTION}.json`

/**
 * The arrays of an .npz file of numpy, in float32 or int32, and the description beside them. What is no array, and arrays of
 * a type that is not read, such as text and objects, are left out and named. Throws MixlabError `weights` naming what is
 * wrong; `source` names the file. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
export function openNpz(file: Uint8Array, source: string): Contents {
  const fail = (message: string) => new MixlabError('weights', source, message)
  const others: string[] = []
  const isWanted = (name: string) => {
    if (name.endsWith('.npy') || name === DESCRIPTION_FILE) return true
    if (!name.endsWith('/')) others.push(name)
    return false
  }
  const { [DESCRIPTION_FILE]: about, ...arrays } = unzipped(file, isWanted, fail)
  if (others.length > 0 && about === undefined && Object.keys(arrays).length === 0)
    throw fail(`is a zip of ${namesText(others)}; unpack it and name its file of weights`)
  const unread: Unread[] = []
  let sum = 0
  const tensors = Object.entries(arrays).flatMap(([path, bytes]): NamedTensor[] => {
    const name = path.replace(/\.npy$/, '')
    const wrong = (what: string) => fail(`${quoted(name)} ${what}`)
    const array = headerOf(bytes, wrong)
    const kind = kindOfArray(array.type)
    if (!kind) {
      unread.push([name, typeText(array.type)])
      return []
    }
    checkSize(kind, array.data.length, array.shape, wrong)
    sum += 4 * product(array.shape)
    checkMemory(sum, file.length, fail)
    return [{ name, shape: array.shape, values: valuesOf(kind, array, wrong) }]
  })
  const description = about && about.length <= MAX_TEXT ? new TextDecoder().decode(about) : null
  return { tensors, description, left: [...unreadText(unread), ...leftText(others)] }
}

/** The arrays alone. */
export const readNpz = (file: Uint8Array, source: string) => openNpz(file, source).tensors

/** An array as numpy describes it: its type as in `<f4`, or `structured`, and its bytes. */
export interface NumpyArray {
  type: string
  shape: number[]
  /** Whether it lies column by column. */
  fortran: boolean
  data: Uint8Array
}

const product = (shape: readonly number[]) => shape.reduce((all, length) => all * length, 1)

/** How the values of a type of numpy are read; undefined where they are not. The name of bfloat16 is lost when it is saved. */
export function kindOfArray(type: string): Kind | undefined {
  if (type === '|V2') return 'BF16'
  return Object.hasOwn(KINDS, type.slice(1)) ? KINDS[type.slice(1)] : undefined
}

const WORDS: Record<string, string> = { O: 'object', U: 'text', S: 'text', M: 'datetime', m: 'timedelta' }
/** A type of numpy that is not read, in words. */
export const typeText = (type: string) =>
  WORDS[type[1] ?? ''] ?? (/^[<>]c\d+$/.test(type) ? `complex${8 * Number(type.slice(2))}` : type)

/** The values of an array row by row, whatever the order of their bytes. Throws what `fail` makes. */
export function valuesOf(kind: Kind, { type, shape, fortran, data }: NumpyArray, fail: Fail): NamedTensor['values'] {
  const width = Number(type.slice(2))
  const values = convert(kind, type.startsWith('>') ? swapped(data, width) : data, shape, fail)
  if (!fortran) return values
  const columnMajor = rowMajor([...shape].reverse()).reverse()
  return strided(values, shape, columnMajor)
}

/** What a .npy file says of its array. Throws what `fail` makes where it is none. */
export function headerOf(bytes: Uint8Array, fail: Fail): NumpyArray {
  if (kindOf(bytes) !== 'npy' || bytes.length < 10) throw fail('is no array of numpy')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const isLong = (bytes[6] as number) > 1
  if (isLong && bytes.length < 12) throw fail('ends in its header')
  const length = isLong ? view.getUint32(8, true) : view.getUint16(8, true)
  const start = (isLong ? 12 : 10) + length
  if (length > MAX_HEADER || start > bytes.length) throw fail('ends in its header')
  const header = new TextDecoder('latin1').decode(bytes.subarray(start - length, start))
  const [, descr] = /'descr': *('[^']*'|\[)/.exec(header) ?? []
  const [, fortran] = /'fortran_order': *(True|False)/.exec(header) ?? []
  const [, axes] = /'shape': *\(([\d, L]*)\)/.exec(header) ?? []
  if (!descr || !fortran || axes === undefined) throw fail('has a header that says not what it holds')
  const shape = axes.split(',').flatMap((axis) => (axis.trim() ? [Number.parseInt(axis, 10)] : []))
  if (shape.length > MOST_AXES) throw fail(`has ${shape.length} axes, expected ${MOST_AXES} at most`)
  const type = descr === '[' ? 'structured' : descr.slice(1, -1)
  return { type, shape, fortran: fortran === 'True', data: bytes.subarray(start) }
}

import { type Fail, MixlabError, quoted } from '../../errors.ts'
import { rowMajor, strided } from '../../nn/layout.ts'
import { type Contents, DESCRIPTION, type NamedTensor } from '../safetensors.ts'
import { convert, type Kind } from './convert.ts'
import { unzipped } from './zip.ts'

/** The types of values in .npy that are read. */
const KINDS: Record<string, Kind> = {
  ...{ f2: 'F16', f4: 'F32', f8: 'F64', i4: 'I32', i8: 'I64', i2: 'I16', i1: 'I8', u1: 'U8', b1: 'BOOL' },
}

/** Longest header of an array, in bytes. */
const MAX_HEADER = 65_535
/** Longest description, in bytes. */
const MAX_TEXT = 1e8

/** What the description of an exported model is called among the arrays. */
export const DESCRIPTION_FILE = `${DESCRIPTION}.json`

/**
 * The arrays of an .npz file of numpy, in float32 or int32, and the description beside them. Throws MixlabError `weights`
 * naming what is wrong; `source` names the file. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
export function openNpz(file: Uint8Array, source: string): Contents {
  const fail = (message: string) => new MixlabError('weights', source, message)
  const isWanted = (name: string) => name.endsWith('.npy') || name === DESCRIPTION_FILE
  const { [DESCRIPTION_FILE]: about, ...arrays } = unzipped(file, isWanted, fail)
  const tensors = Object.entries(arrays).map(([name, bytes]) => readNpy(name.replace(/\.npy$/, ''), bytes, fail))
  return { tensors, description: about && about.length <= MAX_TEXT ? new TextDecoder().decode(about) : null, left: [] }
}

/** The arrays alone. */
export const readNpz = (file: Uint8Array, source: string) => openNpz(file, source).tensors

function readNpy(name: string, bytes: Uint8Array, fail: Fail): NamedTensor {
  const isNpy = bytes.length >= 10 && String.fromCharCode(...bytes.subarray(1, 6)) === 'NUMPY' && bytes[0] === 0x93
  if (!isNpy) throw fail(`${quoted(name)} is no array of numpy`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const isLong = (bytes[6] as number) > 1
  if (isLong && bytes.length < 12) throw fail(`${quoted(name)} ends in its header`)
  const length = isLong ? view.getUint32(8, true) : view.getUint16(8, true)
  const start = (isLong ? 12 : 10) + length
  if (length > MAX_HEADER || start > bytes.length) throw fail(`${quoted(name)} ends in its header`)
  const header = new TextDecoder('latin1').decode(bytes.subarray(start - length, start))
  const [, order, type] = /'descr': *'([<>|=])([a-z]\d+)'/.exec(header) ?? []
  const [, fortran] = /'fortran_order': *(True|False)/.exec(header) ?? []
  const [, axes] = /'shape': *\(([\d, ]*)\)/.exec(header) ?? []
  if (!type || !fortran || axes === undefined) throw fail(`${quoted(name)} has a header that says not what it holds`)
  const kind = KINDS[type]
  if (!kind || order === '>') {
    throw fail(`${quoted(name)} is ${order}${type}, expected one of ${Object.keys(KINDS).join(', ')}, little-endian`)
  }
  const shape = axes.split(',').flatMap((axis) => (axis.trim() ? [Number(axis)] : []))
  const values = convert(kind, bytes.subarray(start), shape, (message) => fail(`${quoted(name)} ${message}`))
  if (fortran === 'False') return { name, shape, values }
  const columnMajor = rowMajor([...shape].reverse()).reverse()
  return { name, shape, values: strided(values, shape, columnMajor) }
}

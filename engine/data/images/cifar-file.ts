import { MixlabError } from '../../errors.ts'
import { checkIndices } from '../indices.ts'
import type { ImageBatch, Pool } from '../types.ts'

/** Height, width and channels of every image. */
export const CIFAR_SHAPE: [number, number, number] = [32, 32, 3]

const AREA = 32 * 32
const IMAGE = AREA * 3

/** A label byte before each image: which sort of label it is and how many classes that has. */
export interface CifarLabel {
  name: 'label' | 'coarse label' | 'fine label'
  classes: number
}

/**
 * The records of a file of CIFAR's binary version, as views of `bytes`: the label bytes, then 3,072 bytes of an image,
 * all of its red, then green, then blue, row by row. Throws MixlabError `data` with `path`, the name of the file, and
 * the offset.
 */
export function parseCifar(bytes: Uint8Array, labels: readonly CifarLabel[], path: string): Uint8Array[] {
  const fail = (offset: number, message: string) => new MixlabError('data', path, `offset ${offset}: ${message}`)
  const length = labels.length + IMAGE
  if (bytes.length === 0) throw fail(0, `empty, expected records of ${length} bytes`)
  const rest = bytes.length % length
  if (rest > 0) throw fail(bytes.length - rest, `truncated, have ${rest} bytes of a record of ${length}`)

  return Array.from({ length: bytes.length / length }, (_, i) => {
    const record = bytes.subarray(i * length, (i + 1) * length)
    for (const [k, { name, classes }] of labels.entries()) {
      const label = record[k] ?? 0
      if (label >= classes) throw fail(i * length + k, `${name} ${label}, expected 0..${classes - 1}`)
    }
    return record
  })
}

/** A split made of records, labelled by their byte `label`. */
export function cifarSplit(records: readonly Uint8Array[], label: number): Pool<ImageBatch> {
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, records.length)
    const pixels = new Float32Array(indices.length * IMAGE)
    const labels = new Int32Array(indices.length)
    for (let i = 0; i < indices.length; i++) {
      const record = records[indices[i] ?? 0] as Uint8Array
      const planes = record.subarray(record.length - IMAGE)
      labels[i] = record[label] ?? 0
      for (let c = 0; c < 3; c++) {
        for (let j = 0; j < AREA; j++) pixels[i * IMAGE + j * 3 + c] = (planes[c * AREA + j] ?? 0) / 255
      }
    }
    return { pixels, labels }
  }
  return { size: records.length, read, labels: records.map((record) => record[label] ?? 0) }
}

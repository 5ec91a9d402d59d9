import { zlibSync } from 'fflate'
import type { ConstantTensor } from '../../graph/types.ts'
import { float } from './numbers.ts'

/** So many values are written one by one at most. */
const FEW = 16

/**
 * A table as an expression of Python: values one by one, sums of ranges (as those of strides, windows and diagonals are), or
 * its bytes, compressed.
 */
export function tableInPython({ shape, dtype, values }: ConstantTensor): string {
  const type = dtype === 'float32' ? 'torch.float32' : 'torch.int32'
  const plain = [...values].map((value) => (dtype === 'float32' ? float(value) : String(value)))
  const reshaped = shape.length === 1 ? '' : `.reshape(${shape.join(', ')})`
  if (values.every((value) => value === values[0])) {
    return `torch.full([${shape.join(', ')}], ${plain[0]}, dtype=${type})`
  }
  const ranges = values.length > FEW && dtype !== 'float32' ? sumOfRanges([...values]) : null
  if (ranges) return `${ranges}.int()${reshaped}`
  if (values.length <= FEW) return `torch.tensor([${plain.join(', ')}], dtype=${type})${reshaped}`
  const bytes = (dtype === 'float32' ? Float32Array : Int32Array).from(values)
  const packed = zlibSync(new Uint8Array(bytes.buffer), { mem: 4, level: 9 })
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''))
  return `table('${base64}', ${type}).reshape(${shape.join(', ')})`
}

/** Ranges whose sums, the last one innermost, are the values; null for other values. */
function sumOfRanges(values: number[]): string | null {
  const ranges: { step: number; count: number }[] = []
  let rest = values
  while (rest.length > 1) {
    const step = (rest[1] as number) - (rest[0] as number)
    let count = 2
    while (count < rest.length && (rest[count] as number) - (rest[count - 1] as number) === step) count++
    while (rest.length % count !== 0) count--
    if (count < 2 || ranges.length === 6) return null
    ranges.unshift({ step, count })
    rest = rest.filter((_, i) => i % count === 0)
  }
  const [start = 0] = values
  const at = (i: number) => {
    let left = i
    return ranges.reduceRight((sum, { step, count }) => {
      const digit = left % count
      left = Math.floor(left / count)
      return sum + step * digit
    }, start)
  }
  if (!values.every((value, i) => value === at(i))) return null
  const terms = ranges.map(({ step, count }, i) => {
    const range = `torch.arange(${count})`
    const scaled = step === 1 ? range : step === -1 ? `-${range}` : `${step} * ${range}`
    const behind = ranges.length - 1 - i
    return behind === 0 ? scaled : `(${scaled}).reshape(-1${', 1'.repeat(behind)})`
  })
  const all = start === 0 ? terms : [String(start), ...terms]
  return `(${all.join(' + ')}).flatten()`
}

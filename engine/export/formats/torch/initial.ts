import type { Distribution } from '../../../nn/distribution.ts'
import type { TrainedTensor } from '../../graph/training.ts'
import { float } from './numbers.ts'

const close = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b))

/** Numbers of inputs and outputs of one unit, as torch.nn.init counts them. */
function fansOf([units = 1, inputs = 1, ...kernel]: number[]): { in: number; out: number } {
  const area = kernel.reduce((product, length) => product * length, 1)
  return { in: inputs * area, out: units * area }
}

/** The line that draws the initial values of a tensor, which Python calls `place`. */
export function initialLine({ shape, initial }: TrainedTensor, place: string): string {
  const call = (name: string, ...rest: string[]) => `nn.init.${name}_(${[place, ...rest].join(', ')})`
  const fans = shape.length > 1 ? fansOf(shape) : null
  switch (initial.kind) {
    case 'constant':
      if (initial.value === 0) return call('zeros')
      return initial.value === 1 ? call('ones') : call('constant', float(initial.value))
    case 'uniform': {
      const { from, to } = initial
      if (fans && close(-from, to) && close(to, Math.sqrt(6 / (fans.in + fans.out)))) return call('xavier_uniform')
      return call('uniform', short(from), short(to))
    }
    case 'normal': {
      const { mean, std } = initial
      if (fans && mean === 0 && close(std, Math.sqrt(2 / fans.out))) return call('kaiming_normal', "mode='fan_out'")
      return call('normal', ...(mean === 0 ? [] : [`mean=${short(mean)}`]), `std=${short(std)}`)
    }
    case 'truncated': {
      const { mean, std } = initial
      const ends = [`a=${short(mean - 2 * std)}`, `b=${short(mean + 2 * std)}`]
      return call('trunc_normal', ...(mean === 0 ? [] : [`mean=${short(mean)}`]), `std=${short(std)}`, ...ends)
    }
    case 'fixed':
      return fixedLine(shape, initial.values, place)
    case 'other':
      return `${call('normal', `mean=${short(initial.mean)}`, `std=${short(initial.std)}`)}  # ${OTHERWISE}`
  }
}

/** What is said where code of a cell draws initial values as no initialiser of ours does. */
export const OTHERWISE = 'a cell draws these otherwise, with this mean and deviation'

function fixedLine(shape: number[], values: Float32Array, place: string): string {
  const columns = shape.at(-1) ?? 1
  const isEye = shape.length === 2 && values.every((value, i) => value === Number(i % (columns + 1) === 0))
  if (isEye && shape[0] === columns) return `nn.init.eye_(${place})`
  if (isSinusoid(values, columns)) return `sinusoid_(${place})`
  if (values.length <= 64) return `fill_(${place}, [${[...values].map(float).join(', ')}])`
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const std = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return initialLine({ name: '', shape, trained: true, initial: { kind: 'other', mean, std } }, place)
}

/** Fixed sine and cosine positions (Vaswani et al. 2017, section 3.5). */
function isSinusoid(values: Float32Array, dim: number): boolean {
  return values.every((value, at) => {
    const [position, channel] = [Math.floor(at / dim), at % dim]
    const angle = position / 10000 ** ((2 * Math.floor(channel / 2)) / dim)
    return Math.abs(value - (channel % 2 === 0 ? Math.sin(angle) : Math.cos(angle))) < 1e-6
  })
}

/** Found from draws in float32: as few digits as say it to seven. */
const short = (value: number) => float(Number(value.toPrecision(7)))

/** Whether torch.nn draws the same by itself. */
export function sameDistribution(a: Distribution | undefined, b: Distribution): boolean {
  if (!a || a.kind !== b.kind) return false
  const numbers = (of: Distribution) => Object.values(of).filter((value) => typeof value === 'number')
  return a.kind !== 'fixed' && a.kind !== 'other' && numbers(a).every((value, i) => close(value, numbers(b)[i] ?? 0))
}

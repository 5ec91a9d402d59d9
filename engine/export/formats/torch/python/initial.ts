import type { Distribution } from '../../../../nn/distribution.ts'
import { type Arguments, argument, fixed, Slot, type Thing } from './things.ts'

/** Fan in and fan out of a tensor, as torch.nn.init has them. */
function fans({ shape }: Slot): [number, number] {
  if (shape.length < 2) throw new Error('fan in and fan out need two axes')
  const field = shape.slice(2).reduce((product, length) => product * length, 1)
  return [(shape[1] as number) * field, (shape[0] as number) * field]
}

const even = (bound: number): Distribution => ({ kind: 'uniform', from: -bound, to: bound })

/** What the functions of torch.nn.init draw. */
const DRAWS: Record<string, (slot: Slot, given: Arguments) => Distribution> = {
  zeros_: () => ({ kind: 'constant', value: 0 }),
  ones_: () => ({ kind: 'constant', value: 1 }),
  constant_: (_, given) => ({ kind: 'constant', value: Number(argument(given, 1, 'val')) }),
  normal_: (_, given) => ({
    kind: 'normal',
    mean: Number(argument(given, 1, 'mean', 0)),
    std: Number(argument(given, 2, 'std', 1)),
  }),
  uniform_: (_, given) => ({
    kind: 'uniform',
    from: Number(argument(given, 1, 'a', 0)),
    to: Number(argument(given, 2, 'b', 1)),
  }),
  xavier_uniform_: (slot) => {
    const [input, output] = fans(slot)
    return even(Math.sqrt(6 / (input + output)))
  },
  kaiming_normal_: (slot, given) => {
    const [input, output] = fans(slot)
    const fan = argument(given, 2, 'mode', 'fan_in') === 'fan_out' ? output : input
    return { kind: 'normal', mean: 0, std: Math.sqrt(2 / fan) }
  },
  trunc_normal_: (_, given) => {
    const [mean, std, from, to] = [
      Number(argument(given, 1, 'mean', 0)),
      Number(argument(given, 2, 'std', 1)),
      Number(argument(given, 3, 'a', -2)),
      Number(argument(given, 4, 'b', 2)),
    ] as const
    const isCut = (end: number, at: number) => Math.abs(end - (mean + at * std)) < 1e-5 * std
    if (!isCut(from, -2) || !isCut(to, 2)) throw new Error('is not cut off at two deviations')
    return { kind: 'truncated', mean, std }
  },
  eye_: ({ shape: [rows = 0, columns = 0] }) => {
    return fixed(Array.from({ length: rows * columns }, (_, i) => Number(i % (columns + 1) === 0)))
  },
}

/** Calls a function of torch.nn.init; null for a name that is none of them. */
export function initialised(name: string, given: Arguments): Thing | undefined {
  const draw = DRAWS[name]
  const [slot] = given.by
  if (!draw || !(slot instanceof Slot)) return undefined
  slot.initial = draw(slot, given)
  return slot
}

/** What torch.nn.Linear and its like draw their weight and bias from. */
export function ofLinear(weight: Slot): Distribution {
  return even(1 / Math.sqrt(fans(weight)[0]))
}

import type { DataType } from '@tensorflow/tfjs-core'
import { attribute, first, one, type Rules } from '../rule.ts'

/** Operations that make values from attributes. */
export const creation: Rules = {
  Fill: (_, attributes) =>
    one(attribute<number[]>(attributes, 'shape'), attribute<DataType | undefined>(attributes, 'dtype') ?? 'float32'),
  LinSpace: (_, attributes) => one([attribute<number>(attributes, 'num')]),
  Range: (_, attributes) => {
    const { start, stop, step } = attributes as { start: number; stop: number; step: number }
    const away = start === stop || (start < stop && step < 0) || (stop < start && step > 1)
    return one([away ? 0 : Math.abs(Math.ceil((stop - start) / step))], attribute<DataType>(attributes, 'dtype'))
  },
  Diag: (inputs) => one([...first(inputs).shape, ...first(inputs).shape], first(inputs).dtype),
  Multinomial: (inputs, attributes) =>
    one([first(inputs).shape[0] as number, attribute<number>(attributes, 'numSamples')], 'int32'),
}

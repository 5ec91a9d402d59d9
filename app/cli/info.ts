import '@tensorflow/tfjs'
import { traceSize } from '../../engine/models/published.ts'
import type { Command } from './command.ts'
import { grouped } from './numbers.ts'
import { table } from './table.ts'

export const info: Command = {
  name: 'info',
  synopsis: '<model>',
  summary: 'parameters, multiply-adds and tensors of a published size, e.g. gmlp-s16',
  words: [1, 1],
  options: {},
  run: async ({ words, options }, output) => {
    const model = words[0] ?? ''
    const { parameters, macs, tensors } = await traceSize(model)
    if (options.json) {
      output.out(JSON.stringify({ model, parameters, macs, tensors }))
      return 0
    }
    output.out(`${model}: ${grouped(parameters)} parameters, ${(macs / 1e9).toFixed(2)} G multiply-adds an image`)
    const rows = tensors.map(({ name, shape }) => [name, shape.join(' x '), grouped(shape.reduce((a, b) => a * b, 1))])
    for (const line of table(['tensor', 'shape', 'values'], rows)) output.out(line)
    return 0
  },
}

import type { DiagramOperation } from './diagram.ts'

const known = new WeakMap<DiagramOperation, string>()

/** What an operation does, whatever is around it and however its parameters are called. */
export function signatureOf(operation: DiagramOperation): string {
  const before = known.get(operation)
  if (before !== undefined) return before
  const { kernel, attributes, shapes, inputs, mark = '', was = '' } = operation
  const read = inputs.map(({ shape, parameter, constant, operation }) => {
    const what = parameter !== undefined ? 'parameter' : (constant ?? (operation === undefined ? 'input' : ''))
    return `${shape} ${what}`
  })
  const signature = [kernel, attributes, shapes.join(' '), ...read, mark, was].join('; ')
  known.set(operation, signature)
  return signature
}

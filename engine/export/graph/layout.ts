import { fileShape } from '../../nn/layout.ts'
import type { Parameter } from '../../nn/scope.ts'
import type { Build } from './build.ts'
import type { Value } from './types.ts'

/** A parameter as the code sees it, from its tensor in the layout of files; see nn/layout.ts. */
export function inMemory({ name, shape, layout }: Pick<Parameter, 'name' | 'shape' | 'layout'>, build: Build): Value {
  const { view = shape, order } = layout
  let value: Value = { name, shape: fileShape(shape, layout), dtype: 'float32' }
  if (order) {
    value = build.reshape(
      value,
      order.map((axis) => view[axis] as number),
    )
    value = build.transpose(
      value,
      view.map((_, axis) => order.indexOf(axis)),
    )
  }
  return build.reshape(value, [...shape])
}

import { expect, it } from 'vitest'
import { nameOf } from '../../../../engine/notebook/closures/closures.ts'
import { nameExports } from '../../../../engine/notebook/closures/known.ts'

type Exports = Record<string, unknown>

const nodes = (exported: Exports): Exports => Object.assign(Object.create(null), exported)
const bundlers = (exported: Exports): Exports =>
  Object.defineProperty({ ...exported }, Symbol.toStringTag, { value: 'Module' })

/** The names of what a module exports, by where it is; `namespace` makes the objects of modules inside of it. */
function namesOf(namespace: (exported: Exports) => Exports, whole: (exported: Exports) => Exports): Exports {
  const abs = () => {}
  const relu = () => {}
  const flip = () => {}
  const sum = () => {}
  const all = { abs, image: { flip }, math: namespace({ sum }), relu, twice: relu }
  nameExports({ '@tensorflow/tfjs': whole(all) })
  return Object.fromEntries(
    Object.entries({ abs, relu, flip, sum, image: all.image, math: all.math }).map(([name, value]) => [
      name,
      nameOf(value),
    ]),
  )
}

it('names what tfjs exports as Node does, though a bundler leaves out `default` and makes its namespaces otherwise', () => {
  const inNode = namesOf(nodes, ({ abs, ...others }) => nodes({ abs, default: { abs, ...others }, ...others }))
  const inPage = namesOf(bundlers, ({ relu, ...others }) => bundlers({ relu, ...others }))
  expect(inNode).toEqual({
    abs: '@tensorflow/tfjs.abs',
    relu: '@tensorflow/tfjs.default.relu',
    flip: '@tensorflow/tfjs.default.image.flip',
    sum: undefined,
    image: '@tensorflow/tfjs.default.image',
    math: '@tensorflow/tfjs.default.math',
  })
  expect(inPage).toEqual(inNode)
})

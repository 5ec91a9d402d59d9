import { expect, it } from 'vitest'
import { compare, image, mixer, readout } from '../../../engine/index.ts'

const refused: [string, () => unknown, string][] = [
  ['a name with spaces', () => readout('two words', {}, () => 1), "readout: 'two words', expected letters, digits"],
  ['no name', () => readout(1 as never, {}, () => 1), 'readout: number, expected letters'],
  ['no function', () => readout('size', {}, 1 as never), "readout 'size': expected a function"],
  ['another time', () => readout('size', { when: 'start' as never }, () => 1), "readout 'size'.when"],
  ['a misspelt option', () => readout('size', { beter: 'lower' } as never, () => 1), "readout 'size'"],
  [
    'what is none',
    () => compare('s', { task: image({ data: 'shapes' }), variants: { mixer }, readouts: [1 as never] }),
    's.readouts.0',
  ],
  [
    'two of one name',
    () => {
      const size = readout('size', {}, () => 1)
      return compare('s', { task: image({ data: 'shapes' }), variants: { mixer }, readouts: [size, size] })
    },
    "s.readouts: 'size' stands there twice",
  ],
]

it.each(refused)('refuses %s', (_, make, message) => {
  expect(make).toThrow(message)
})

it('says what it means, and when it is read', () => {
  const { meaning, when } = readout('token_sparsity', { unit: 'share', bounds: [0, Infinity] }, () => 1)
  expect(meaning).toEqual({ unit: 'share', bounds: [0, null], words: 'token sparsity' })
  expect(when).toBe('end')
})

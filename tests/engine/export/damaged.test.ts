import { expect, it } from 'vitest'
import { tries } from '../../long.ts'
import { damaged, outcomeOf, readers } from './damage.ts'
import { sampleFiles } from './damageSamples.ts'

it.each(Object.keys(readers))('damaged files are refused in words, or read: %s', async (format) => {
  const file = (await sampleFiles())[format] as Uint8Array
  expect(outcomeOf(format, file)).toBe('read')
  const outcomes = Array.from({ length: tries(1000) }, (_, i) => outcomeOf(format, damaged(file, i)))
  expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeGreaterThan(outcomes.length / 2)
})

it.each(Object.keys(readers))('a file cut anywhere is refused: %s', async (format) => {
  const file = (await sampleFiles())[format] as Uint8Array
  for (let end = 0; end < file.length; end += 97) expect(outcomeOf(format, file.subarray(0, end))).toBe('refused')
})

import { expect, it } from 'vitest'
import { MixlabError } from '../../../engine/errors.ts'
import { readers } from './damage.ts'
import { sampleFiles } from './damageSamples.ts'

it.each(Object.entries(readers))('a file cut anywhere is refused: %s', async (format, read) => {
  const file = (await sampleFiles())[format] as Uint8Array
  read(file)
  for (let end = 0; end < file.length; end += 97) expect(() => read(file.subarray(0, end))).toThrow(MixlabError)
})

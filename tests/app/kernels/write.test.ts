import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { carrier, carrierText } from '../../../app/kernels/write.ts'

it('the compiled kernels are those of the sources (npm run kernels)', async () => {
  expect(readFileSync(carrier, 'utf8')).toBe(await carrierText())
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { jpegCarrierFile, jpegCarrierText } from '../../../app/kernels/jpeg.ts'

it('the decoder of JPEG is that of its package (npm run kernels)', () => {
  expect(readFileSync(jpegCarrierFile, 'utf8')).toBe(jpegCarrierText())
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exportedFunctions, tableText } from '../../../app/kernels/exports.ts'
import { jpegCarrierFile, jpegCarrierText } from '../../../app/kernels/jpeg.ts'
import { type Build, carrierFile, carrierText, compileKernels, tableFile } from '../../../app/kernels/write.ts'
import { relaxed, strict } from '../../../engine/backends/simd/binary.ts'
import { decode } from '../../../engine/backends/simd/load.ts'
import { sample } from '../../long.ts'

describe('the compiled kernels', () => {
  it('are those of the sources (npm run kernels)', async () => {
    expect(readFileSync(tableFile, 'utf8')).toBe(tableText())
    const compiled: Record<Build, string> = { relaxed, strict }
    for (const build of sample<Build>(['relaxed', 'strict'], 0, 2)) compiled[build] = await compileKernels(build)
    expect(readFileSync(carrierFile, 'utf8')).toBe(carrierText(compiled))
  })
  it('are all that the module exports', async () => {
    const module = new WebAssembly.Module(decode(relaxed, true))
    const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function')
    expect(functions.map(({ name }) => name).sort()).toEqual(
      exportedFunctions()
        .map(({ name }) => name)
        .sort(),
    )
  })
})

it('the decoder of JPEG is that of its package (npm run kernels)', () => {
  expect(readFileSync(jpegCarrierFile, 'utf8')).toBe(jpegCarrierText())
})

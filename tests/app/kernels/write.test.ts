import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exportedFunctions, tableText } from '../../../app/kernels/exports.ts'
import { carrierFile, carrierText, tableFile } from '../../../app/kernels/write.ts'

describe('the compiled kernels', () => {
  it('are those of the sources (npm run kernels)', async () => {
    expect(readFileSync(tableFile, 'utf8')).toBe(tableText())
    expect(readFileSync(carrierFile, 'utf8')).toBe(await carrierText())
  })
  it('are all that the module exports', async () => {
    const { relaxed } = await import('../../../engine/backends/simd/binary.ts')
    const module = new WebAssembly.Module(Buffer.from(relaxed, 'base64'))
    const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function')
    expect(functions.map(({ name }) => name).sort()).toEqual(
      exportedFunctions()
        .map(({ name }) => name)
        .sort(),
    )
  })
})

import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshFolder, mixlab } from './recorder.ts'

const golden = resolve(import.meta.dirname, '../../golden')

describe('mixlab conformance', () => {
  it('checks one case', async () => {
    const { code, out } = await mixlab([
      'conformance',
      join(golden, 'gmlp_timm.safetensors'),
      '--backend',
      'cpu',
      '--json',
    ])
    expect(code).toBe(0)
    const result = JSON.parse(out[0] ?? '')
    expect(result).toMatchObject({ backend: 'cpu', passed: 1, failed: 0 })
    expect(result.cases[0]).toMatchObject({ case: 'gmlp_timm', architecture: 'gMLP, vision', passed: true, checks: 31 })
  })
  it('names what it cannot read', async () => {
    const folder = freshFolder()
    expect((await mixlab(['conformance', join(folder, 'none')])).err[0]).toContain('no such file or folder')
    mkdirSync(join(folder, 'empty'))
    expect((await mixlab(['conformance', join(folder, 'empty')])).err[0]).toContain('has no .safetensors files')
  })
  it('goes on after a case that cannot be read', async () => {
    const folder = freshFolder()
    const cases = { first: 'op_gelu', last: 'optim_lamb' }
    for (const [name, file] of Object.entries(cases))
      cpSync(join(golden, `${file}.safetensors`), join(folder, `${name}.safetensors`))
    writeFileSync(join(folder, 'bad.safetensors'), 'nothing')
    mkdirSync(join(folder, 'folder.safetensors'))
    const { code, out, err } = await mixlab(['conformance', folder])
    expect([code, err]).toEqual([1, []])
    expect(out).toHaveLength(6)
    expect(out[1]).toMatch(/^bad .* FAILED: bad: 7 bytes, too short for a safetensors header$/)
    expect(out[2]).toMatch(/^first .* ok$/)
    expect(out[3]).toMatch(/^folder .* FAILED: .*folder.safetensors: is a folder/)
    expect(out[4]).toMatch(/^last .* ok$/)
    expect(out[5]).toBe('2 passed, 2 failed, on simd')
    const json = await mixlab(['conformance', folder, '--json'])
    expect(json.code).toBe(1)
    expect(JSON.parse(json.out[0] ?? '').cases[0]).toEqual({
      case: 'bad',
      passed: false,
      error: 'bad: 7 bytes, too short for a safetensors header',
    })
  })
})

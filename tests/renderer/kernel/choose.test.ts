import { describe, expect, it } from 'vitest'
import { isSoftware } from '../../../engine/backends/software.ts'
import { pickBackend, worthTiming } from '../../../renderer/kernel/choose.ts'
import type { BackendOption } from '../../../renderer/protocol/kernel.ts'

const cpu: BackendOption = { name: 'cpu', device: 'processor', software: false }
const webgl: BackendOption = { name: 'webgl', device: 'card', software: false }
const webgpu: BackendOption = { name: 'webgpu', device: 'card', software: false }

const simd: BackendOption = { name: 'simd', device: 'processor', software: false }

describe('choose', () => {
  it('begins with the processor where nothing is wanted', () => {
    expect(pickBackend([webgpu, webgl, simd, cpu], null).name).toBe('simd')
    expect(pickBackend([webgpu, webgl, simd, cpu], 'webgl').name).toBe('webgl')
  })

  it('times neither emulated cards nor the slow reference', () => {
    expect(worthTiming([webgpu, webgl, simd, cpu])).toEqual([webgpu, webgl, simd])
    expect(worthTiming([{ ...webgpu, software: true }, { ...webgl, software: true }, simd, cpu])).toEqual([simd])
  })

  it('names what is available where the wanted one is not', () => {
    expect(() => pickBackend([cpu, webgl], 'webgpu')).toThrow('webgpu is not available here (available: cpu, webgl)')
    expect(() => pickBackend([], null)).toThrow('simd is not available here (available: none)')
  })
})

it.each([
  ['ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)', true],
  ['llvmpipe (LLVM 15.0.7, 256 bits)', true],
  ['Microsoft Basic Render Driver', true],
  ['NVIDIA GeForce RTX 4070', false],
  ['Apple M2', false],
])('%s: emulated %s', (adapter, software) => {
  expect(isSoftware(adapter)).toBe(software)
})

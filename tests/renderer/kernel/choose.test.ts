import { describe, expect, it } from 'vitest'
import { isSoftware } from '../../../engine/backends/software.ts'
import { pickBackend } from '../../../renderer/kernel/choose.ts'
import type { BackendOption } from '../../../renderer/protocol/kernel.ts'

const cpu: BackendOption = { name: 'cpu', device: 'processor', software: false }
const webgl: BackendOption = { name: 'webgl', device: 'card', software: false }
const webgpu: BackendOption = { name: 'webgpu', device: 'card', software: false }

describe('choose', () => {
  it('prefers webgpu to webgl to cpu', () => {
    expect(pickBackend([cpu, webgl, webgpu], null).name).toBe('webgpu')
    expect(pickBackend([cpu, webgl], null).name).toBe('webgl')
    expect(pickBackend([cpu], null).name).toBe('cpu')
  })

  it('passes over emulated cards unless they are asked for', () => {
    const emulated = [{ ...webgpu, software: true }, { ...webgl, software: true }, cpu]
    expect(pickBackend(emulated, null).name).toBe('cpu')
    expect(pickBackend(emulated, 'webgl').name).toBe('webgl')
  })

  it('names what is available where the wanted one is not', () => {
    expect(() => pickBackend([cpu, webgl], 'webgpu')).toThrow('webgpu is not available here (available: webgl, cpu)')
    expect(() => pickBackend([], null)).toThrow('a backend is not available here (available: none)')
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

import { expect, it } from 'vitest'
import { adapterName } from '../../../renderer/kernel/renderer.ts'

it.each([
  ['ANGLE (NVIDIA, NVIDIA GeForce RTX 4070 Direct3D11 vs_5_0 ps_5_0, D3D11)', 'NVIDIA GeForce RTX 4070'],
  ['ANGLE (NVIDIA, NVIDIA RTX 4070 (0x00002786) Direct3D11 vs_5_0 ps_5_0, D3D11)', 'NVIDIA RTX 4070'],
  ['ANGLE (Apple, ANGLE Metal Renderer: Apple M2, Unspecified Version)', 'Apple M2'],
  [
    'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
    'SwiftShader Device (Subzero)',
  ],
  ['Mali-G78', 'Mali-G78'],
  ['', ''],
])('%s is %s', (renderer, name) => {
  expect(adapterName(renderer)).toBe(name)
})

import { expect, it } from 'vitest'
import type { BackendOption } from '../../../../renderer/protocol/kernel.ts'
import { trainsOn } from '../../../../renderer/session/kernel/state.ts'

const option = (name: BackendOption['name'], software = false): BackendOption => ({
  name,
  device: 'a device',
  software,
})
const report = (...options: BackendOption[]) => ({ chosen: option('simd'), options })

it('knows what any study would be trained on, unless each takes the fastest', () => {
  expect(trainsOn({ wanted: null, report: null })).toBeNull()
  expect(trainsOn({ wanted: 'webgl', report: null })).toBe('webgl')
  expect(trainsOn({ wanted: null, report: report(option('webgl', true), option('simd'), option('cpu')) })).toBe('simd')
  expect(trainsOn({ wanted: null, report: report(option('webgpu'), option('simd')) })).toBeNull()
  expect(trainsOn({ wanted: 'simd', report: report(option('webgpu'), option('simd')) })).toBe('simd')
})

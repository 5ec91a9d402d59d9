import { expect, it } from 'vitest'
import { endLine } from '../../../renderer/study/endLine.ts'
import { ACCURACY } from '../../meanings.ts'
import { valued } from '../compare/samples.ts'

it('a read-out of the end is one point, at the last step; what was recorded on the way is none', () => {
  const metrics = { 'readout/norm': valued(3, { readout: 'digest' }), 'test/accuracy': valued(1, ACCURACY) }
  expect(endLine({ metrics }, 'readout/norm')).toEqual({ steps: [10], values: [3] })
  expect(endLine({ metrics }, 'test/accuracy')).toBeNull()
  expect(endLine({ metrics }, 'readout/other')).toBeNull()
})

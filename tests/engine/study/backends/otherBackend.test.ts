import { expect, it } from 'vitest'
import { trainedOnOtherBackend } from '../../../../engine/study/backends/otherBackend.ts'

const run = (backend: string, status: 'done' | 'failed' = 'done') => ({ backend, status })

it('tells which complete runs another backend has trained', () => {
  const runs = [run('webgl'), run('simd'), run('webgl'), run('cpu'), run('cpu', 'failed'), run('')]
  expect(trainedOnOtherBackend(runs, 'simd')).toEqual({
    runs: [run('webgl'), run('webgl'), run('cpu')],
    backends: ['webgl', 'cpu'],
    text: '2 of 6 runs were trained on webgl, 1 on cpu',
  })
  expect(trainedOnOtherBackend([run('cpu')], 'simd')?.text).toBe('1 of 1 run was trained on cpu')
  expect(trainedOnOtherBackend([run('simd'), run('cpu', 'failed')], 'simd')).toBeNull()
})

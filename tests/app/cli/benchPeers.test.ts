import { expect, it } from 'vitest'
import type { PeerRow } from '../../../app/bench/compare.ts'
import { floorOf, peerTable } from '../../../app/cli/bench/peers.ts'

it('shows the peers of a configuration', () => {
  const none = { train: null, forward: null, peakBytes: null, ratio: null }
  const rows: PeerRow[] = [
    { peer: 'simd', threads: 2, train: [20, 19.5], forward: [5, 4], peakBytes: 2e8, ratio: 1 },
    { peer: 'cpu', threads: 1, ...none, note: 'too slow' },
    { peer: 'torch', threads: 1, blasThreads: 1, train: [30, 30], forward: [6, 5], peakBytes: 3e8, ratio: 1.5 },
    { peer: 'torch', threads: 1, blasThreads: 2, train: [25, 24], forward: [6, 5], peakBytes: 3e8, ratio: 1.25 },
  ]
  const floor = floorOf({ macs: { train: 1.5e9, forward: 5e8 } }, { fma: 100 }, 2)
  expect(peerTable('tiny', rows, floor)).toEqual([
    'tiny                 threads  step, ms  least  forward, ms  least  peak, MB  ratio',
    'simd                       2      20.0   19.5          5.0    4.0       200   1.00',
    'cpu                        1         -      -            -      -         -      -  too slow',
    'torch, BLAS 1              1      30.0   30.0          6.0    5.0       300   1.50',
    'torch, BLAS 2              1      25.0   24.0          6.0    5.0       300   1.25  best of torch',
    'multiply-adds alone               15.0                 5.0',
  ])
})

import { expect, it } from 'vitest'
import { shareCores } from '../../../renderer/kernel/shareCores.ts'

it.each([
  { wanted: null, waiting: 6, cores: 1, runs: 1, threads: 1 },
  { wanted: null, waiting: 6, cores: 2, runs: 1, threads: 2 },
  { wanted: null, waiting: 6, cores: 3, runs: 1, threads: 3 },
  { wanted: null, waiting: 6, cores: 4, runs: 2, threads: 2 },
  { wanted: null, waiting: 6, cores: 8, runs: 4, threads: 2 },
  { wanted: null, waiting: 6, cores: 24, runs: 4, threads: 6 },
  { wanted: null, waiting: 3, cores: 8, runs: 3, threads: 2 },
  { wanted: null, waiting: 1, cores: 8, runs: 1, threads: 8 },
  { wanted: 1, waiting: 6, cores: 8, runs: 1, threads: 8 },
  { wanted: 2, waiting: 6, cores: 2, runs: 2, threads: 1 },
  { wanted: 8, waiting: 6, cores: 4, runs: 6, threads: 1 },
])(
  'trains $runs of $waiting runs at a time on $cores cores, asked for $wanted',
  ({ wanted, waiting, cores, ...sharing }) => {
    expect(shareCores(wanted, waiting, cores)).toEqual(sharing)
  },
)

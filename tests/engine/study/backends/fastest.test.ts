import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { shapes } from '../../../../engine/data/images/index.ts'
import { gmlp, mixer } from '../../../../engine/models/index.ts'
import { measureFastest, stepTime } from '../../../../engine/study/backends/fastest.ts'
import { chosenText, timesText } from '../../../../engine/study/backends/times.ts'
import { compare } from '../../../../engine/study/compare.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { image } from '../../../../engine/tasks/index.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { memoryFiles } from '../../data/memory-files.ts'

onSimd()

const study = compare('s', {
  task: image({ data: shapes({ train: 40, test: 12 }) }),
  model: { patch: 8, dim: 8, ffn: 8, depth: 1 },
  variants: { small: mixer(), large: { block: gmlp(), train: { batch: 16 } } },
  train: { steps: 3, batch: 4 },
  seeds: 1,
})
const opened = () => openStudy(study, {}, memoryFiles({}))

describe('fastest', () => {
  /** Candidates that note what is started, and the time that the running one needs. */
  function candidates(times: Record<string, number | null>) {
    const started: string[] = []
    const timed: string[] = []
    const all = Object.keys(times).map((name) => ({
      name: name as 'simd',
      device: `the ${name}`,
      start: async () => void started.push(name),
    }))
    const time = async ({ name }: { name: string }) => {
      const ms = times[started.at(-1) ?? ''] ?? null
      timed.push(name)
      if (ms === null) throw new Error('no such kernel')
      return ms
    }
    return { all, time, started, timed }
  }

  it('starts the backend that takes least for the largest variant, and tells what all take', async () => {
    const { all, time, started, timed } = candidates({ webgpu: 3, webgl: null, simd: 2.04, cpu: 300.4 })
    const found = await measureFastest(await opened(), all, time)
    expect(found.backend).toEqual({ name: 'simd', device: 'the simd' })
    expect(started).toEqual(['webgpu', 'webgl', 'simd', 'cpu', 'simd'])
    expect(timed).toEqual(Array(4).fill('large'))
    expect(timesText(found.times)).toBe(
      'webgpu 3.0 ms, webgl does not train (no such kernel), simd 2.0 ms, cpu 300 ms a step',
    )
  })

  it.each([
    [19, 'simd', 's: trained on simd, for a card takes about as long; webgpu 19 ms, simd 20 ms a step'],
    [17, 'webgpu', 's: trained on webgpu; webgpu 17 ms, simd 20 ms a step'],
    [21, 'simd', 's: trained on simd; webgpu 21 ms, simd 20 ms a step'],
  ])('stays on the processor in a tie: %i ms against 20', async (ms, chosen, said) => {
    const { all, time } = candidates({ webgpu: ms, simd: 20 })
    const { backend, times } = await measureFastest(await opened(), all, time)
    expect(backend.name).toBe(chosen)
    expect(chosenText('s', chosen, times)).toBe(said)
  })

  it('does not time a single one', async () => {
    const { all, time, started, timed } = candidates({ simd: 1 })
    expect(await measureFastest(await opened(), all, time)).toEqual({
      backend: { name: 'simd', device: 'the simd' },
      times: [],
    })
    expect([started, timed]).toEqual([['simd'], []])
  })

  it('says why where none trains', async () => {
    const { all, time } = candidates({ webgpu: null, simd: null })
    await expect(measureFastest(await opened(), all, time)).rejects.toThrow(
      's: webgpu: no such kernel; simd: no such kernel',
    )
    await expect(measureFastest(await opened(), [], time)).rejects.toThrow('s: no backend')
  })
})

it('stepTime trains a few steps and leaves nothing behind', async () => {
  const { variants } = await opened()
  const before = tf.memory().numTensors
  for (const variant of variants) expect(await stepTime(variant)).toBeGreaterThan(0)
  expect(tf.memory().numTensors).toBe(before)
})

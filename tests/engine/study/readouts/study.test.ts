import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../../engine/data/files.ts'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { recordedSpec } from '../../../../engine/study/recreate/recorded.ts'

const none = () => Promise.reject(new Error('none'))
const files: FileSource = { list: none, read: none }

/** A study with a read-out in a cell of its own, opened. */
async function opened(
  body: string,
  { when = 'end', name = 'size', metric = 'readout/size', meaning = '', helper = 2 } = {},
) {
  const text = `// %% read
import { readout } from 'mixlab'
import * as tf from '@tensorflow/tfjs'
const share = ${helper}
export const size = readout('${name}', { when: '${when}'${meaning} }, ${body})

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const own = compare('s', {
  task: image({ data: shapes({ train: 32, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  train: { steps: 2, batch: 8 },
  variants: { mixer },
  readouts: [size],
  metric: '${metric}',
  seeds: 1,
})
`
  const modules = { mixlab, '@tensorflow/tfjs': tf }
  const study = (await evaluateAll(text, modules, { console })).get('own')?.value as Study
  const { planned, readouts, design, metric: compared } = await openStudy(study, {}, files)
  return { key: planned[0]?.key, spec: planned[0]?.spec, digest: readouts[0]?.digest, design, compared }
}

const BODY = "({ weights }) => tf.norm(weights['head.weight']).mul(share)"

describe('read-outs of the end', () => {
  it('are in no key, and known by what they compute and mean', async () => {
    const { key, digest, design, compared } = await opened(BODY)
    const without = await opened(BODY, { metric: 'test/accuracy' })
    expect([compared, design.metric, design.readouts]).toEqual([
      'readout/size',
      'readout/size',
      [{ metric: 'readout/size', digest }],
    ])
    expect([without.key, without.digest]).toEqual([key, digest])
    expect(await opened(`${BODY} /* comment */`)).toMatchObject({ key, digest })
    const words = await opened(BODY, { meaning: ", words: 'the size'" })
    expect(words).toMatchObject({ key, digest })
    for (const other of [{ helper: 3 }, { meaning: ", better: 'lower'" }]) {
      const changed = await opened(BODY, other)
      expect(changed.key).toBe(key)
      expect(changed.digest).not.toBe(digest)
    }
  })
  it('that the metric does not name are told', async () => {
    await expect(opened(BODY, { metric: 'readout/sise' })).rejects.toThrow(
      "s.metric: unknown metric 'readout/sise' (did you mean 'readout/size'?",
    )
  })
})

describe('read-outs at evaluations', () => {
  it('are in the key as metrics are, and travel with the spec', async () => {
    const end = await opened(BODY, { metric: 'test/accuracy' })
    const { key, digest, spec, design } = await opened(BODY, { when: 'evaluations' })
    expect(key).not.toBe(end.key)
    expect([digest, design.readouts]).toEqual([undefined, undefined])
    expect(recordedSpec(spec, 'run').readouts?.size).toMatchObject({ code: expect.any(String) })
    expect((await opened(`${BODY} /* comment */`, { when: 'evaluations' })).key).toBe(key)
    expect((await opened(BODY, { when: 'evaluations', helper: 3 })).key).not.toBe(key)
  })
})

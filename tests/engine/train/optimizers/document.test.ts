import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { studiesIn } from '../../../../engine/study/studies.ts'
import { type OptimizerFunction, optimizerOf } from '../../../../engine/train/optimizers/index.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { errorOf, goldenOf } from './reference.ts'

const text = readFileSync(join(import.meta.dirname, '../../../../docs/optimizers.md'), 'utf8')
const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code], i) => `// %% c${i}\n${code}`)

describe('docs/optimizers.md', () => {
  onSimd()
  it('has code that runs: optimizers that train, and studies that can be planned', async () => {
    const values = await evaluateAll(blocks.join('\n'), { mixlab, '@tensorflow/tfjs': tf }, { console })
    const studies = studiesIn([...values.values()].map(({ value }) => value))
    expect(studies.map(({ name }) => name)).toEqual(['lion', 'groups'])
    for (const study of studies) await openStudy(study, { quick: true }, memoryFiles({}))
    const made = (name: string) => values.get(name)?.value as OptimizerFunction
    for (const [name, own] of [
      ['lion', made('lion')],
      ['sam_adamw', made('sam')],
    ] as const) {
      const golden = goldenOf(name)
      expect(await errorOf(golden, own(golden.options))).toBeLessThan(1e-5)
    }
    expect(await errorOf(goldenOf('lion'), made('lookAhead')())).toBeLessThan(10) // it trains
  })
  it('has the defaults of the built-in ones', () => {
    const made = { ...mixlab } as unknown as Record<string, (options?: object) => Parameters<typeof optimizerOf>[0]>
    const rows = [...text.matchAll(/^\| `(\w+)`(?:, `(\w+)`)? \|.*\| ([^|]+) \|$/gm)]
    for (const name of ['adamw', 'sgd', 'lamb', 'lion', 'muon', 'sam', 'samAdamw', 'scheduleFree']) {
      const said = rows.find(([, first, second]) => first === name || second === name)?.[3] ?? ''
      const spec = made[name]?.() as Parameters<typeof optimizerOf>[0]
      const own = optimizerOf(spec).resolve({})
      const written = [...said.matchAll(/`(\w+)` ([\d.e-]+|true|false)/g)].map(([, option, value]) => [option, value])
      expect(written.length).toBeGreaterThan(0)
      for (const [option = '', value] of written) expect(own[option], `${name} ${option}`).toBe(JSON.parse(value ?? ''))
      if (!name.startsWith('sam')) expect(written.map(([option]) => option).sort()).toEqual(Object.keys(own).sort())
    }
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as mixlab from '../../../engine/index.ts'
import { createModel, type Model } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import { createReader, type Reader } from '../../../engine/readouts/reader.ts'
import { isReadout, type Readout } from '../../../engine/readouts/readout.ts'
import { isStudy } from '../../../engine/study/compare.ts'
import { taskKind } from '../../../engine/tasks/index.ts'

const text = readFileSync(join(import.meta.dirname, '../../../docs/readouts.md'), 'utf8')
const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string)
const { image, mixer, readouts, shapes } = mixlab
let model: Model
let reader: Reader
let defined: unknown[] = []

beforeAll(async () => {
  const [first = '', ...rest] = blocks
  const [, imports = ''] = /^((?:import .*\n)+)/.exec(first) ?? []
  // each block is a cell; imports are those of the first
  const cells = [first, ...rest.map((code) => imports + code)].map((code, i) => `// %% cell${i}\n${code}`)
  const found = await evaluateAll(cells.join('\n'), { mixlab, '@tensorflow/tfjs': tf }, { console })
  defined = [...found.values()].map(({ value }) => value)
  const spec = image({ data: shapes({ train: 40, test: 20 }) })
  const kind = taskKind(spec.task)
  const task = await kind.open(kind.resolve(spec.options), { list: async () => [], read: async () => new Uint8Array() })
  const block = mixer({ depth: 2, dim: 8, patch: 16 })
  const forward = task.model(block, resolveSize(block, {}, 'mixer'))
  model = createModel(forward, task.input, 1)
  reader = createReader({ model, forward, task, tests: true })
})
afterAll(() => {
  reader.dispose()
  model.dispose()
})

describe('docs/readouts.md', () => {
  it('has studies and read-outs that compute numbers', async () => {
    const own = defined.filter((value): value is Readout => isReadout(value))
    expect([blocks.length, own.map(({ name }) => name), defined.filter(isStudy).length]).toEqual([
      4,
      ['head_norm', 'effective_rank', 'head_curve'],
      2,
    ])
    for (const each of own) expect((await reader.read(each)).problem, each.name).toBeNull()
  })
  it('has a row for each built-in read-out', () => {
    const rows = [...text.matchAll(/^\| (`\w+\([^|]*) \|/gm)].flatMap(([, cell = '']) => [
      ...cell.matchAll(/`(\w+)\(/g),
    ])
    const named = rows.map(([, name = '']) => name).filter((name) => name in readouts)
    expect(named.sort()).toEqual(Object.keys(readouts).sort())
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import * as mixlab from '../../../engine/index.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import type { OptimizerFunction } from '../../../engine/train/optimizers/index.ts'
import { onSimd } from '../../engine/backends/simd/setup.ts'
import { errorOf, goldenOf } from '../../engine/train/optimizers/reference.ts'

onSimd()

it.each([
  ['muon', 'muon', 'muon'],
  ['sam', 'sam', 'sam'],
  ['schedule-free', 'scheduleFree', 'schedule_free'],
])(
  'the cell of experiments/%s.ts trains as its equations in float64, to 1e-5 of the largest entry',
  async (notebook, name, reference) => {
    const text = readFileSync(join(import.meta.dirname, `../../../experiments/${notebook}.ts`), 'utf8')
    const values = await evaluateAll(text, { mixlab, '@tensorflow/tfjs': tf }, { console })
    const { iterations: _, ...options } = goldenOf(reference).options
    const own = values.get(name)?.value as OptimizerFunction
    expect(await errorOf(goldenOf(reference), own(options))).toBeLessThan(1e-5)
  },
)

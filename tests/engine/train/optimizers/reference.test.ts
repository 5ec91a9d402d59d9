import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { describeOnBoth } from '../backends.ts'
import { errorOf, goldenOf } from './reference.ts'

const names = globSync('*.json', { cwd: join(import.meta.dirname, '../../../golden/optimizers') })

describeOnBoth('optimizers beside their equations in float64', () => {
  it.each(names.map((file) => basename(file, '.json')))('%s: to 1e-5 of the largest entry', async (name) => {
    const golden = goldenOf(name)
    expect(await errorOf(golden, { optimizer: golden.optimizer, options: golden.options })).toBeLessThan(1e-5)
  })
})

import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { READY } from '../../../renderer/start/ready.ts'

it('has every ready notebook, the first one first', () => {
  const names = globSync('*.ts', { cwd: resolve(import.meta.dirname, '../../../experiments') })
  expect(READY.map(({ name }) => `${name}.ts`).sort()).toEqual(names.sort())
  expect(READY[0]?.name).toBe('first-comparison')
})

describe.each(READY)('$name', ({ question, about, time, metric, rows, result }) => {
  it('says what it asks, how long that takes and what comes out', () => {
    expect(question).toMatch(/\?$/)
    expect(about).not.toBe('')
    expect(time).toMatch(/minute.*cores$/)
    expect(metric).toMatch(/^test\/\w+$/)
    expect(rows.length).toBeGreaterThan(1)
    for (const { mean, sd } of rows) expect([mean, sd].every(Number.isFinite)).toBe(true)
    expect(result).toMatch(/ (than|to differ from|equals|to tell) /)
  })
})

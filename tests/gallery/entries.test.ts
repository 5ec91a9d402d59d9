import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { entries } from './entries/index.ts'
import { figureStyle } from './figureStyle.ts'

const folder = join(import.meta.dirname, '../../engine/charts')

/** The cores of scaling, depth and dataSize, and of the charts of factors that have lines. */
const CORES = ['against', 'factors/lines']

it('the gallery shows every chart there is', () => {
  const makesChart = /export function \w+\([^)]*\): (Chart|Figure<AnyTrace>) /
  const files = globSync('**/*.ts', { cwd: folder }).filter((name) => {
    return makesChart.test(readFileSync(join(folder, name), 'utf8'))
  })
  const charts = files.map((name) => name.replace('.ts', '')).filter((name) => !CORES.includes(name))
  expect(charts).toContain('curves')
  expect([...new Set(entries.map(({ file }) => file))].sort()).toEqual(charts.sort())
})

it('no two drawings have the same name, which is their place on the page', () => {
  const names = entries.map(({ file, name }) => `${file} ${name}`)
  expect(new Set(names).size).toBe(names.length)
})

it('has the colours of the page', () => {
  expect(figureStyle(false)).toMatchObject({ surface: 'rgb(255, 255, 255)', series: { length: 7 } })
  expect(figureStyle(true).series[0]).toBe('rgb(86, 180, 233)')
})

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const page = resolve(import.meta.dirname, '../../dist/page')
const assets = join(page, 'assets')

/** The most MB of each script of the page; of a kernel, with the scripts that it waits for. */
const BUDGET = {
  index: 1,
  kernel: 3.4,
  'kernel-trainer': 3.25,
  'kernel-export': 3.3,
  'kernel-model': 3.25,
  'register.all': 1.3,
  'plotly-cartesian.min': 1.6,
  'language-worker': 8.8,
}

it.each(Object.entries(BUDGET))('the script %s is at most %d MB', (name, most) => {
  const found = readdirSync(assets).filter((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file))
  expect(found).toHaveLength(1)
  const counted = name.startsWith('kernel') ? withImports(found) : found
  const bytes = counted.reduce((sum, file) => sum + statSync(join(assets, file)).size, 0)
  expect(bytes / 1e6).toBeLessThan(most)
})

it('the page is drawn without editors and charts', () => {
  const html = readFileSync(join(page, 'index.html'), 'utf8')
  expect(html).toMatch(/assets\/index-/)
  expect(html).not.toMatch(/assets\/(editor|register|whole|plotly)/)
})

it('scripts are read as one byte a character', () => {
  const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'))
  const beyond = scripts.filter((file) => /[\x80-\xff]/.test(readFileSync(join(assets, file), 'latin1')))
  expect(beyond).toEqual([])
})

/** Scripts with all that they import, but for what they load later. */
function withImports(scripts: string[]): string[] {
  const all = new Set(scripts)
  for (const script of all) {
    const text = readFileSync(join(assets, script), 'utf8')
    for (const [, file = ''] of text.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) all.add(file)
  }
  return [...all]
}

import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundled } from '../bundled.ts'
import { namesOfExports } from '../engine/notebook/closures/names.ts'
import { KINDS } from '../engine/study/pairs/kinds.ts'
import { alike, differing } from '../engine/study/pairs/notebook.ts'
import { ALL, LONG, sample } from '../long.ts'
import { openNotebook, sharedBrowser } from './workbench.ts'

/** Pairs of each kind that the workbench trains. */
const TRAINED = ALL ? 10 : 1

/** Pairs of each kind that a browser plans. */
const PLANNED = ALL ? { differing: 2000, alike: 500 } : LONG ? { differing: 4, alike: 2 } : { differing: 2, alike: 1 }
/** Pairs that it plans in one call, which no limit of a test ends. */
const AT_ONCE = 100

/** The code of a notebook of a pair as an expression: its study, under a name. */
function studyOf(notebook: string, name: string): string {
  const code = notebook
    .split('\n')
    .slice(3)
    .filter((line) => !/^(import|\/\/ %%) /.test(line))
  return `(() => {\n${code.join('\n').replace(/compare\(.s./, `compare('${name}'`)}\nreturn s\n})()`
}

const numbers = Array.from({ length: TRAINED }, (_, i) => i)
const pairs = sample(Object.keys(KINDS), 0, 12).flatMap((kind) =>
  numbers.flatMap((number) =>
    Object.entries({ differing, alike }).map(([how, pair]) => {
      const [a, b] = pair(kind, number)
      const name = `${kind} ${how} ${number}`
      return { name, how, code: `[${studyOf(a, `${name} a`)}, ${studyOf(b, `${name} b`)}]` }
    }),
  ),
)

it.runIf(LONG)('the workbench plans pairs of cells by what they capture, and not by how they are written', async () => {
  const [first = ''] = differing('block', 0)
  const imports = first.split('\n').slice(0, 3).join('\n')
  const cells = pairs.map(({ name, code }) => `// %% ${name.replaceAll(' ', '-')}\n${code}`)
  const { page, workspace } = await openNotebook(`${imports}\n${cells.join('\n\n')}\n`)
  await page.getByRole('button', { name: 'Run all' }).click()
  const keys = () => {
    const database = new BetterSqlite3(join(workspace, '.mixlab/mixlab.db'), { readonly: true })
    const rows = database.prepare('select study, key from design join design_run on design = id').all()
    database.close()
    return new Map((rows as { study: string; key: string }[]).map(({ study, key }) => [study, key]))
  }
  const names = pairs.flatMap(({ name }) => [`${name} a`, `${name} b`])
  await expect.poll(() => names.filter((name) => !keys().has(name))).toEqual([])
  const planned = keys()
  const shared = pairs.filter(({ name }) => planned.get(`${name} a`) === planned.get(`${name} b`))
  expect(shared.map(({ name }) => name)).toEqual(pairs.filter(({ how }) => how === 'alike').map(({ name }) => name))
})

describe('a browser plans', () => {
  let page: Page
  beforeAll(async () => {
    const open = await bundled(`${import.meta.dirname}/pairsPage.ts`, 'wrongPair')
    page = await (await sharedBrowser()).newPage()
    await open(page)
  })
  it.each(Object.keys(KINDS))('pairs of cells with another %s', async (kind) => {
    for (const [how, count] of Object.entries(PLANNED)) {
      for (let from = 0; from < count; from += AT_ONCE) {
        const asked = [kind, how, from, Math.min(count, from + AT_ONCE)]
        expect(await page.evaluate(`wrongPair(...${JSON.stringify(asked)})`)).toBe(null)
      }
    }
  })

  it('what cells can import under the names that Node gives, which are in keys', async () => {
    expect(await page.evaluate('namesOfExports()')).toEqual(namesOfExports())
  })
})

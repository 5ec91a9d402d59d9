import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Import, importsOf, readImports, sourceFiles } from './imports.ts'

const root = resolve(import.meta.dirname, '..')
const houses = ['engine', 'app', 'renderer'] as const
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const imports = readImports(root, houses)
/** Source files that a folder holds at most. */
const MOST = 25

/** The rooms of a house from the ground, as ARCHITECTURE.md has them: `data/`, or a file. */
function orderOf(house: string): string[] {
  const [, table = ''] = text.split(`### Rooms of ${house}, from the ground\n`)
  const rows = (table.split(/\n#+ /)[0] ?? '').match(/^\| .*`.*$/gm) ?? []
  return rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, room = '']) => room))
}

function roomOf(house: string, file: string): string {
  const [first = '', ...rest] = file.slice(house.length + 1).split('/')
  return rest.length === 0 ? first : `${first}/`
}

/** The imports inside of a house that lead upwards. */
function upward(house: string, all: readonly Import[]): string[] {
  const order = orderOf(house)
  const level = (file: string) => order.indexOf(roomOf(house, file))
  return all
    .filter(({ from, to }) => from.startsWith(`${house}/`) && to.startsWith(`${house}/`))
    .filter(({ from, to }) => roomOf(house, from) !== roomOf(house, to) && (level(from) < level(to) || level(to) < 0))
    .map(({ from, to }) => `${from} imports ${to}`)
}

/** A circle among files, from one of them back to it; null if there is none. */
function circle(all: readonly Import[]): string[] | null {
  const next = Map.groupBy(all, ({ from }) => from)
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return null
    done.add(file)
    path.push(file)
    for (const { to } of next.get(file) ?? []) {
      const found = visit(to)
      if (found) return found
    }
    path.pop()
    return null
  }
  for (const file of next.keys()) {
    const found = visit(file)
    if (found) return found
  }
  return null
}

describe.each(houses)('the rooms of %s', (house) => {
  it('are all in the table of ARCHITECTURE.md, and none else is', () => {
    const rooms = new Set(sourceFiles(root, house).map((file) => roomOf(house, file)))
    expect([...rooms].sort()).toEqual(orderOf(house).sort())
  })
  it('import only what stands above them in that table', () => {
    expect(upward(house, imports)).toEqual([])
  })
  it(`hold at most ${MOST} files each`, () => {
    const folders = Map.groupBy(sourceFiles(root, house), (file) => dirname(file))
    expect([...folders].filter(([, files]) => files.length > MOST).map(([folder]) => folder)).toEqual([])
  })
})

describe('files', () => {
  it('import each other in no circle, be it for types alone', () => {
    expect(circle(imports)).toBeNull()
  })
})

describe('the test itself', () => {
  const planted = (file: string, line: string) => [...imports, ...importsOf(file, line)]

  it.each([
    ['a value', 'engine/nn/scope.ts', "import { train } from '../train/train.ts'"],
    ['a type', 'engine/data/files.ts', "import type { Task } from '../tasks/types.ts'"],
    [
      'a type of many lines',
      'engine/data/files.ts',
      "import {\n  type Task,\n  type Batch,\n} from '../tasks/types.ts'",
    ],
    ['what is passed on', 'engine/nn/index.ts', "export * from '../study/compare.ts'"],
    ['what is imported late', 'engine/nn/scope.ts', "const late = await import('../train/train.ts')"],
    ['a side effect', 'engine/errors.ts', "import './index.ts'"],
    ['a worker', 'renderer/ui/route.ts', "new Worker(new URL('../kernel/kernel.ts', import.meta.url))"],
  ])('finds an import upwards: %s', (_, file, line) => {
    expect(upward(file.split('/')[0] as string, planted(file, line))).toHaveLength(1)
  })
  it('finds a circle of values and one of types', () => {
    const values = planted('engine/nn/scope.ts', "import { dense } from './layers/dense.ts'")
    const types = planted('engine/records/run.ts', "import type { RunStore } from './store.ts'")
    expect(circle(values)).toContain('engine/nn/scope.ts')
    expect(circle(types)).toContain('engine/records/run.ts')
  })
  it('finds a room that the table does not have', () => {
    expect(upward('engine', planted('engine/nn/scope.ts', "import '../attic/old.ts'"))).toHaveLength(1)
  })
})

import { beforeEach, describe, expect, it, vi } from 'vitest'
import { analyzed } from '../../../renderer/session/analyzed.ts'
import { showText } from '../../../renderer/session/open.ts'
import { EMPTY, factsOf, useNotebook } from '../../../renderer/session/state.ts'
import { addSeeds } from '../../../renderer/study/addSeeds.ts'
import { useNotices } from '../../../renderer/ui/notices.ts'
import { studyView } from './studies.ts'

const { ran } = vi.hoisted(() => ({ ran: [] as string[] }))
vi.mock('../../../renderer/editor/shown.ts', () => ({ modelAt: () => null }))
vi.mock('../../../renderer/session/files/save.ts', () => ({ changed: () => {} }))
vi.mock('../../../renderer/session/run.ts', () => ({ runCells: (ids: string[]) => ran.push(...ids) }))

const NOTEBOOK = `// %% first
const first: Study = compare('first', { task, variants, seeds: 6 })

// %% second
const count = 3
export const second = compare('second', { task, variants, from: first, seeds: count })

// %% [markdown] text
// compare('third', { seeds: 3 })
`
const study = (name: string) => ({ ...studyView({ a: [], b: [], c: [] }), study: name })
const sourceOf = (id: string) => useNotebook.getState().cells.find((cell) => cell.id === id)?.source
const notice = () => useNotices.getState().notice?.text ?? ''

beforeEach(() => {
  ran.length = 0
  useNotices.setState({ notice: null })
  useNotebook.setState({ ...EMPTY, name: 'test.ts' })
  showText(NOTEBOOK)
})

describe('addSeeds', () => {
  it('changes the number in the cell and runs it', async () => {
    await addSeeds('first', study('first'), 2)
    expect(sourceOf('first')).toContain('variants, seeds: 8 })')
    expect(ran).toEqual(['first'])
    expect(notice()).toBe('')
  })

  it('finds a study that another cell defines', async () => {
    await addSeeds('second', study('first'), 1)
    expect(sourceOf('first')).toContain('seeds: 7')
    expect(ran).toEqual(['first'])
  })

  it('asks first where variants are defined in the same cell', async () => {
    await analyzed()
    const { fingerprint = '' } = factsOf(useNotebook.getState(), 'first') ?? {}
    await addSeeds('first', { ...study('first'), blocks: { a: fingerprint, b: 'built in', c: fingerprint } }, 2)
    expect(notice()).toContain("The cell defines 'a' and 'c' too")
    expect(ran).toEqual([])
    useNotices.getState().notice?.action?.run()
    await expect.poll(() => sourceOf('first')).toContain('seeds: 8')
    expect(ran).toEqual(['first'])
  })

  it('says where the number comes from where it is not written out', async () => {
    await addSeeds('second', study('second'), 2)
    expect(notice()).toContain("second.seeds: it is 'count'; change the number of seeds there by hand")
    await addSeeds('second', study('third'), 2)
    expect(notice()).toContain("no cell says compare('third', { ... })")
    expect(ran).toEqual([])
  })
})

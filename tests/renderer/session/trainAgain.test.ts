import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Host } from '../../../engine/host.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { showText } from '../../../renderer/session/open.ts'
import { EMPTY, useNotebook } from '../../../renderer/session/state.ts'
import { trainAgain, trainAgainIn } from '../../../renderer/session/trainAgain.ts'
import { useNotices } from '../../../renderer/ui/notices.ts'

const ran = vi.hoisted(() => [] as string[][])
vi.mock('../../../renderer/session/run.ts', () => ({ runCells: (ids: string[]) => void ran.push(ids) }))

const told: unknown[] = []
/** The cells of a notebook that runs come from, by the ids of the runs. */
const origins: Record<number, { notebook: string | null; cell: string } | null> = {
  1: { notebook: 'n.ts', cell: 'study' },
  2: { notebook: 'n.ts', cell: 'study' },
  3: { notebook: 'other.ts', cell: 'study' },
  4: { notebook: 'n.ts', cell: 'gone' },
  5: null,
}
const host = {
  showRuns: async (ids: number[]) => ids.map((id) => ({ id, origin: origins[id] })),
  trainAgain: async (ids: number[]) => {
    told.push(['again', ids])
    if (ids.includes(9)) throw new Error('run 9: is in training')
    return ids
  },
  archiveRuns: async (...given: unknown[]) => void told.push(given),
} as unknown as Host
const notice = () => useNotices.getState().notice

beforeEach(() => {
  vi.useFakeTimers()
  ran.length = told.length = 0
  useConnection.setState({ host })
  useNotebook.setState({ ...EMPTY, name: 'n.ts' })
  showText('// %% study\nexport const study = 1\n')
})
afterEach(() => void vi.useRealTimers())

it('archives runs of a study and runs its cell', async () => {
  await trainAgainIn('study', [{ id: 1 }, { id: null }, { id: 3 }])
  expect([told, ran]).toEqual([[['again', [1, 3]]], [['study']]])
})

it('runs nothing where a run cannot be trained again, and says why', async () => {
  const changed = vi.fn()
  await trainAgainIn('study', [{ id: 9 }])
  expect(notice()).toMatchObject({ tone: 'bad', text: 'Nothing is trained again. run 9: is in training' })
  expect(await trainAgain([9], changed)).toBe(false)
  expect([ran, changed.mock.calls]).toEqual([[], []])
})

it('runs the cells of the open notebook that made the runs, once each, and tells of the others', async () => {
  const changed = vi.fn()
  expect(await trainAgain([1, 2], changed)).toBe(true)
  expect([ran, notice()?.text, notice()?.action]).toEqual([
    [['study']],
    '2 runs archived. The cell study now runs.',
    undefined,
  ])
  await trainAgain([1, 3], changed)
  expect(notice()?.text).toBe('2 runs archived. The cell study now runs. A study makes new ones when its cell is run.')
  expect(changed).toHaveBeenCalledTimes(2)
})

it('can be undone where no cell runs', async () => {
  await trainAgain([3, 4, 5], () => {})
  expect(notice()?.text).toBe('3 runs archived. A study makes new ones when its cell is run.')
  notice()?.action?.run()
  expect(told.at(-1)).toEqual([[3, 4, 5], false])
})

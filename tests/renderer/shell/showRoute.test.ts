import { beforeEach, expect, it } from 'vitest'
import type { Host } from '../../../engine/host.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { EMPTY, useNotebook } from '../../../renderer/session/state.ts'
import { showRoute } from '../../../renderer/shell/showRoute.ts'

/** What is asked of the host, by notebook, until it is answered. */
let reading: { name: string; answer: () => void }[] = []
let asked = 0
const host = {
  readNotebook: (name: string) => {
    const text = `// %% cell\nconst asked = ${++asked}\n`
    return new Promise((resolve) => {
      reading.push({ name, answer: () => resolve({ name, text, revision: 'r' }) })
    })
  },
  readOutputs: async () => [],
  listNotebooks: async () => ['a.ts', 'b.ts'],
} as unknown as Host

beforeEach(() => {
  reading = []
  asked = 0
  useConnection.setState({ host, notebooks: ['a.ts', 'b.ts'] })
  useNotebook.setState(EMPTY)
})

const show = (name: string) => showRoute({ view: 'notebook', name })
const text = () => useNotebook.getState().cells.map(({ source }) => source)
const settled = () => new Promise((resolve) => setTimeout(resolve))

async function opened(name: string): Promise<void> {
  const shown = show(name)
  await settled()
  for (const { answer } of reading.splice(0)) answer()
  await shown
}

it('stays at a notebook that was left and wanted again at once', async () => {
  await opened('a.ts')
  await Promise.all([show('b.ts'), show('a.ts')])
  expect(reading).toEqual([])
  expect(useNotebook.getState()).toMatchObject({ name: 'a.ts', error: null })
  expect(text()).toEqual(['const asked = 1'])
})

it('shows the last of several, in whatever order they are read', async () => {
  await opened('a.ts')
  const shown: Promise<void>[] = []
  for (const name of ['b.ts', 'a.ts', 'b.ts']) {
    shown.push(show(name))
    await settled()
  }
  expect(reading.map(({ name }) => name)).toEqual(['b.ts', 'a.ts', 'b.ts'])
  for (const { answer } of reading.reverse()) {
    answer()
    await settled()
    expect(useNotebook.getState().name).toBe('b.ts')
    expect(text()).toEqual(['const asked = 4'])
  }
  await Promise.all(shown)
})

import { beforeEach, expect, it, vi } from 'vitest'
import type { StoreEnding } from '../../../app/electron/store-process.ts'
import { showStoreTrouble } from '../../../app/electron/store-trouble.ts'
import { BrowserWindow, dialog } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

const ways = { restart: vi.fn(), openWorkspace: vi.fn(), quit: vi.fn() }
beforeEach(() => void vi.clearAllMocks())

async function show(response: number, ending: StoreEnding = { code: 139 }) {
  dialog.showMessageBox.mockResolvedValueOnce({ response, checkboxChecked: false })
  await showStoreTrouble(new BrowserWindow().real, ending, ways)
  return dialog.showMessageBox.mock.calls[0]?.[1]
}

it('shows the reason of a workspace that does not open', async () => {
  const box = await show(0, { refused: 'store: is from a newer version' })
  expect(box).toMatchObject({ message: 'The workspace cannot be opened.', detail: 'store: is from a newer version' })
})

it('shows the exit code of a crash', async () => {
  expect((await show(0))?.detail).toContain('139')
})

it.each([
  [0, ways.restart],
  [1, ways.openWorkspace],
  [2, ways.quit],
])('does what button %i says', async (response, act) => {
  await show(response)
  expect(act).toHaveBeenCalledOnce()
  expect(Object.values(ways).filter((way) => way.mock.calls.length > 0)).toEqual([act])
})

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answerDialogs, exportPdf } from '../../../app/electron/dialogs.ts'
import { answer } from '../../../app/electron/gate.ts'
import { pageUrl } from '../../../app/electron/protocol.ts'
import type { StoreEnding } from '../../../app/electron/store-process.ts'
import { showStoreTrouble } from '../../../app/electron/store-trouble.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { freshFolder } from '../store/samples.ts'
import { askMain } from './ask-main.ts'
import { app, BrowserWindow, dialog, ipcMain } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

describe('what the page asks the user through main', () => {
  let folder: string
  let window: BrowserWindow
  beforeEach(() => {
    vi.clearAllMocks()
    folder = freshFolder()
    window = new BrowserWindow()
    answerDialogs(window.real)
  })

  function userSavesAs(filePath: string) {
    dialog.showSaveDialog.mockResolvedValueOnce({ canceled: false, filePath })
  }

  it('answers saving and choosing, and nothing else', () => {
    expect(ipcMain.handle.mock.calls.map(([channel]) => channel)).toEqual(['save-file', 'choose-folder'])
  })

  describe('save-file', () => {
    const bytes = new Uint8Array([1, 2, 3])

    it('writes where the user says and returns the path', async () => {
      const path = join(folder, 'weights.safetensors')
      userSavesAs(path)
      expect(await askMain('save-file', ['weights.safetensors', bytes])).toEqual({ value: path })
      expect([...readFileSync(path)]).toEqual([1, 2, 3])
      expect(readdirSync(folder)).toEqual(['weights.safetensors'])
    })

    it('replaces a file as a whole', async () => {
      const path = join(folder, 'weights.npz')
      writeFileSync(path, 'something longer')
      userSavesAs(path)
      await askMain('save-file', ['weights.npz', bytes])
      expect([...readFileSync(path)]).toEqual([1, 2, 3])
    })

    it.each([
      ['run.npz', 'run.npz'],
      ['../../etc/passwd', 'passwd'],
      ['C:\\Windows\\run.npz', 'run.npz'],
      ['/etc/run.npz', 'run.npz'],
    ])('proposes %j in the downloads as %j', async (name, proposed) => {
      app.getPath.mockImplementation((place) => join(folder, place))
      await askMain('save-file', [name, bytes])
      expect(dialog.showSaveDialog).toHaveBeenCalledWith(window, { defaultPath: join(folder, 'downloads', proposed) })
    })

    it('writes nothing if the user cancels', async () => {
      expect(await askMain('save-file', ['a.npz', bytes])).toEqual({ value: null })
      expect(readdirSync(folder)).toEqual([])
    })

    it('says why a file cannot be written and leaves nothing behind', async () => {
      userSavesAs(join(folder, 'missing', 'a.npz'))
      expect(await askMain('save-file', ['a.npz', bytes])).toEqual({ error: expect.stringContaining('ENOENT') })
      expect(readdirSync(folder)).toEqual([])
    })

    it.each([
      [[undefined, bytes], 'name: a file name is needed'],
      [['', bytes], 'name: a file name is needed'],
      [[{}, bytes], 'name: a file name is needed'],
      [['a.npz', 'text'], 'bytes: a byte array is needed'],
      [['a.npz', [1, 2]], 'bytes: a byte array is needed'],
      [['a.npz'], 'bytes: a byte array is needed'],
    ])('refuses %j before it asks the user', async (values, error) => {
      expect(await askMain('save-file', values)).toEqual({ error })
      expect(dialog.showSaveDialog).not.toHaveBeenCalled()
    })
  })

  describe('choose-folder', () => {
    it('returns the folder', async () => {
      dialog.showOpenDialog.mockResolvedValueOnce({ canceled: false, filePaths: [folder] })
      expect(await askMain('choose-folder')).toEqual({ value: folder })
    })

    it('returns null if the user cancels', async () => {
      expect(await askMain('choose-folder')).toEqual({ value: null })
    })
  })

  describe('exportPdf', () => {
    it('saves the page under its title', async () => {
      const path = join(folder, 'first.pdf')
      userSavesAs(path)
      await exportPdf(window.real)
      expect(readFileSync(path, 'utf8')).toBe('%PDF')
      expect(dialog.showSaveDialog.mock.calls[0]?.[1].defaultPath).toMatch(/first\.pdf$/)
    })

    it('shows why it failed', async () => {
      window.webContents.printToPDF.mockRejectedValueOnce(new Error('no printer'))
      await exportPdf(window.real)
      expect(dialog.showErrorBox).toHaveBeenCalledWith('The page was not exported', 'no printer')
    })
  })
})

describe('a store that is in trouble', () => {
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
})

describe('the gate of main', () => {
  const handle = vi.fn((_event: unknown, ...values: unknown[]) => values.length)
  beforeEach(() => {
    handle.mockClear()
    answer('count', handle)
    answer('fail', () => {
      throw new MixlabError('option', 'name', 'is bad')
    })
  })

  it('answers the page', async () => {
    expect(await askMain('count', ['a', 'b'])).toEqual({ value: 2 })
  })

  it('gives errors as their own text', async () => {
    expect(await askMain('fail')).toEqual({ error: 'name: is bad' })
  })

  it.each([
    ['a web page', { url: 'https://evil.example/', parent: null }],
    ['a frame inside the page', { url: pageUrl, parent: {} }],
    ['a lookalike host', { url: 'mixlab://workbench.evil/', parent: null }],
    ['a lookalike scheme', { url: 'https://workbench/', parent: null }],
    ['a file', { url: 'file:///workbench/index.html', parent: null }],
    ['a frame that is gone', null],
  ])('does not answer %s', async (_who, frame) => {
    expect(await askMain('count', [], frame)).toEqual({ error: 'count: only the page may ask' })
    expect(handle).not.toHaveBeenCalled()
  })
})

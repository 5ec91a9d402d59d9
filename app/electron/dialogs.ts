import { basename, join } from 'node:path'
import { app, type BrowserWindow, dialog } from 'electron'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { answer } from './gate.ts'

/** Answers what the page asks through the bridge. */
export function answerDialogs(window: BrowserWindow): void {
  answer('save-file', (_event, name, bytes) => saveFile(window, name, bytes))
  answer('choose-folder', () => chooseFolder(window, 'Choose Folder'))
}

/** Asks for a folder; null if the user cancelled. */
export async function chooseFolder(window: BrowserWindow, title: string): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    properties: ['openDirectory', 'createDirectory'],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Saves the page, as it prints, as a PDF. */
export async function exportPdf(window: BrowserWindow): Promise<void> {
  try {
    const pdf = await window.webContents.printToPDF({ printBackground: true })
    await saveFile(window, `${window.getTitle()}.pdf`, pdf)
  } catch (error) {
    dialog.showErrorBox('The page was not exported', messageOf(error))
  }
}

async function saveFile(window: BrowserWindow, name: unknown, bytes: unknown): Promise<string | null> {
  if (typeof name !== 'string' || name === '') throw new MixlabError('option', 'name', 'a file name is needed')
  if (!(bytes instanceof Uint8Array)) throw new MixlabError('option', 'bytes', 'a byte array is needed')
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    defaultPath: join(app.getPath('downloads'), basename(name.replaceAll('\\', '/'))),
  })
  if (canceled || !filePath) return null
  writeAtomic(filePath, bytes)
  return filePath
}

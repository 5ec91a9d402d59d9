import { pageUrl } from '../../../app/electron/protocol.ts'
import { ipcMain } from './fake-electron.ts'

/** The frame that asks, as far as main looks at it. */
export interface AskingFrame {
  url: string
  parent: unknown
  postMessage?: (channel: string, message: unknown, ports: unknown[]) => void
}

export const pageFrame: AskingFrame = { url: pageUrl, parent: null }

/** Calls what main answers on `channel`, as the preload script of the contents `sender` would. */
export async function askMain(
  channel: string,
  values: unknown[] = [],
  senderFrame: AskingFrame | null = pageFrame,
  sender: unknown = null,
) {
  const handler = ipcMain.handle.mock.calls.find(([name]) => name === channel)?.[1]
  if (!handler) throw new Error(`main does not answer ${channel}`)
  return handler({ senderFrame, sender } as unknown as Electron.IpcMainInvokeEvent, ...values)
}

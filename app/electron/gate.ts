import { type IpcMainInvokeEvent, ipcMain } from 'electron'
import { messageOf } from '../../engine/errors.ts'
import type { BridgeAnswer } from './bridge.ts'
import { isPage } from './protocol.ts'

/** Answers `channel` for the page in the top frame of a window alone. The only way into main. */
export function answer(channel: string, handle: (event: IpcMainInvokeEvent, ...values: unknown[]) => unknown): void {
  ipcMain.handle(channel, async (event, ...values: unknown[]): Promise<BridgeAnswer> => {
    const frame = event.senderFrame
    if (!frame || frame.parent !== null || !isPage(frame.url)) return { error: `${channel}: only the page may ask` }
    try {
      return { value: await handle(event, ...values) }
    } catch (error) {
      return { error: messageOf(error) }
    }
  })
}

import type { WebFrameMain } from 'electron'
import { hostPortMessage } from './bridge.ts'
import { answer } from './gate.ts'
import type { StoreProcess } from './store-process.ts'

/** Hands the page that asks a port to the host; a reloaded page asks again and gets another. */
export function answerHost(store: StoreProcess): void {
  answer('connect-host', ({ senderFrame }) => senderFrame && giveHost(senderFrame, store))
}

/** Hands the page in `frame` a port to the host. A page that has one, or does not wait for one, lets it go. */
export function giveHost(frame: WebFrameMain, store: StoreProcess): void {
  frame.postMessage(hostPortMessage, null, [store.newPort()])
}

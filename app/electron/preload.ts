import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import {
  type BridgeAnswer,
  type DesktopBridge,
  endTraining,
  hostPortMessage,
  kernelsPortMessage,
  pagePortMessage,
  portRequests,
} from './bridge.ts'

/** The part of the page's window that this script touches. */
declare const window: {
  location: { origin: string }
  addEventListener(type: 'message', listener: (event: { data: unknown; origin: string; source: unknown }) => void): void
  postMessage(message: string, origin: string, ports: IpcRendererEvent['ports']): void
}

const bridge: DesktopBridge = {
  saveFile: async (name, bytes) => pathOf(await call('save-file', name, bytes)),
  chooseFolder: async () => pathOf(await call('choose-folder')),
  showTraining: (fraction) => void call('show-training', fraction),
  trainingEnded: () => void call('training-ended'),
}
contextBridge.exposeInMainWorld('mixlabDesktop', bridge)

window.addEventListener('message', ({ data, origin, source }) => {
  if (source !== window || origin !== window.location.origin) return
  if (typeof data === 'string' && Object.hasOwn(portRequests, data)) void call(portRequests[data] ?? '')
})
for (const given of [hostPortMessage, kernelsPortMessage, pagePortMessage]) {
  ipcRenderer.on(given, (event) => window.postMessage(given, window.location.origin, event.ports))
}

ipcRenderer.on(endTraining, (_event, end) => window.postMessage(`${endTraining}:${end}`, window.location.origin, []))

async function call(channel: string, ...values: unknown[]): Promise<unknown> {
  const answer: BridgeAnswer = await ipcRenderer.invoke(channel, ...values)
  if ('error' in answer) throw new Error(answer.error)
  return answer.value
}

function pathOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

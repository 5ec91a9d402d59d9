import { MixlabError } from '../../engine/errors.ts'

/** Ways of a worker to the network, to other pages and workers, to the storage of the page, and to the page itself. */
const FORBIDDEN_GLOBALS = [
  ...['fetch', 'fetchLater', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource'],
  ...['importScripts', 'Worker', 'SharedWorker', 'FontFace', 'fonts', 'Notification', 'RTCPeerConnection'],
  ...['BroadcastChannel', 'postMessage', 'close'],
  ...['indexedDB', 'webkitIndexedDB', 'caches', 'cookieStore', 'localStorage', 'sessionStorage', 'sharedStorage'],
  ...['webkitRequestFileSystem', 'webkitRequestFileSystemSync'],
  ...['webkitResolveLocalFileSystemURL', 'webkitResolveLocalFileSystemSyncURL'],
]

/** What cells and tfjs may know of the machine; storage, locks and devices hang on the navigator, too. */
const ALLOWED_NAVIGATOR_MEMBERS = new Set([
  ...['constructor', 'gpu', 'hardwareConcurrency', 'deviceMemory', 'language', 'languages', 'onLine'],
  ...['userAgent', 'userAgentData', 'platform', 'product', 'appName', 'appCodeName', 'appVersion', 'vendor'],
])

/**
 * Takes from a worker what a cell could reach out with; the kernel keeps what it needs itself. The network is barred by
 * the policy of the kernel's script as well, storage by this alone. Throws MixlabError `backend` where something stays.
 */
export function removeForbiddenGlobals(world: object & { navigator?: object }): void {
  for (const name of FORBIDDEN_GLOBALS) remove(world, name)
  for (const holder of chainOf(world.navigator ?? null)) {
    for (const name of Object.getOwnPropertyNames(holder))
      if (!ALLOWED_NAVIGATOR_MEMBERS.has(name)) remove(holder, name)
  }
}

function remove(from: object, name: string): void {
  for (const holder of chainOf(from)) Reflect.deleteProperty(holder, name)
  if (name in from) throw new MixlabError('backend', '', `'${name}' stays open to cells`)
}

/** An object and its prototypes, without `Object.prototype`. */
function chainOf(value: object | null): object[] {
  if (value === null || value === Object.prototype) return []
  return [value, ...chainOf(Object.getPrototypeOf(value))]
}

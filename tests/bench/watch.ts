import type { Page } from 'playwright-core'

/** A call to the host as the page sees it. */
export interface HostCall {
  method: string
  /** In ms since the page began to load; `answered` is when the bytes are there, not yet unpacked. */
  sent: number
  answered: number
  bytes: number
}

/** What `watchPage` adds to a page. */
export interface Watch {
  calls: HostCall[]
  /** When the user last did something; set it for what is done by a script. */
  acted: number
  /** Waits until each of some conditions has come true, one after the other, and been painted. */
  painted(conditions: (() => unknown)[]): Promise<Painted>
}

export interface Painted {
  /** Ms from the user's act to the paint of each condition. */
  times: number[]
  /** The calls since the act, in ms after it. */
  calls: HostCall[]
}

/** Runs in a page before its own scripts: notes what the user does, the calls to the host, and what is painted. */
export function watchPage(): void {
  const PATIENCE = 30_000 // ms
  const open = new Map<string, HostCall>()
  const watch: Watch = {
    calls: [],
    acted: 0,
    async painted(conditions) {
      const times: number[] = []
      for (const condition of conditions) {
        while (!condition()) {
          if (performance.now() - watch.acted > PATIENCE) throw new Error(`never painted: ${condition}`)
          await frame()
        }
        // A frame begins when the one before it is painted.
        times.push((await frame()) - watch.acted)
      }
      const since = watch.calls.filter(({ sent }) => sent >= watch.acted)
      const after = (time: number) => time - watch.acted
      const calls = since.map((call) => ({ ...call, sent: after(call.sent), answered: after(call.answered) }))
      return { times, calls }
    },
  }
  Object.assign(window, { watch })

  function frame(): Promise<number> {
    return new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())))
  }

  for (const type of ['keydown', 'input', 'mouseup']) {
    const act = ({ timeStamp }: Event) => {
      watch.acted = timeStamp
    }
    addEventListener(type, act, { capture: true })
  }

  /** The text of a field of a message, which msgpack writes as its name, a byte for the length, and the letters. */
  function field(message: ArrayBuffer | Uint8Array, name: string): string {
    const bytes = new Uint8Array(message)
    const text = String.fromCharCode(...bytes.subarray(0, 100), ...bytes.subarray(-100))
    const at = text.indexOf(`\xa1${name}`)
    return at < 0 ? '' : text.slice(at + 3, at + 3 + (text.charCodeAt(at + 2) & 31))
  }

  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      this.addEventListener('message', ({ data }) => {
        const call = open.get(field(data, 'i'))
        if (call) Object.assign(call, { answered: performance.now(), bytes: data.byteLength })
      })
    }

    override send(message: Uint8Array<ArrayBuffer>): void {
      const call = { method: field(message, 'm'), sent: performance.now(), answered: Number.NaN, bytes: 0 }
      open.set(field(message, 'i'), call)
      watch.calls.push(call)
      super.send(message)
    }
  }
}

/** What the page paints after an act, by conditions in the words of the page. */
export async function painted(page: Page, act: () => Promise<unknown>, ...conditions: string[]): Promise<Painted> {
  const found = page.evaluate<Painted>(`watch.painted([${conditions.map((text) => `() => ${text}`).join(', ')}])`)
  const [answer] = await Promise.all([found, act()])
  return answer
}

/** Times of several rounds, by what was measured: the first, and the median and the longest of all. */
export function roundsOf() {
  const measured = new Map<string, number[]>()
  return {
    note(name: string, ms: number | undefined): void {
      if (ms !== undefined) measured.set(name, [...(measured.get(name) ?? []), ms])
    },
    results: () =>
      [...measured].map(([name, times]) => {
        const sorted = times.toSorted((a, b) => a - b)
        const [least = 0, longest = 0] = [sorted[0], sorted.at(-1)]
        return { name, first: times[0] ?? 0, median: sorted[sorted.length >> 1] ?? 0, longest, least }
      }),
  }
}

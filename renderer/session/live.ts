import { create } from 'zustand'
import { kernelSettled } from './kernel/settled.ts'

/** How many editors there are at most; a screen has about ten. */
const MAX_EDITORS = 40

/** How far outside the view an editor is made, so that scrolling finds it ready. */
const AHEAD = '600px'

/** The cells that have an editor; the others show their text highlighted, which costs little. */
const useLive = create<{ keys: ReadonlySet<string> }>(() => ({ keys: new Set() }))

/** Cells in or near the view, the latest at the end. */
let near: string[] = []
const keysOf = new WeakMap<Element, string>()
let observer: IntersectionObserver | null = null
let growing = false

export function useIsLive(key: string): boolean {
  return useLive(({ keys }) => keys.has(key))
}

/** Lets a cell have an editor while it is in or near the view, and as long after as there is room. */
export function watchCell(element: Element, key: string): () => void {
  observer ??= new IntersectionObserver(notice, { scrollMargin: AHEAD } as IntersectionObserverInit)
  keysOf.set(element, key)
  observer.observe(element)
  return () => {
    observer?.unobserve(element)
    keysOf.delete(element) // an observation may still be under way
    near = near.filter((other) => other !== key)
    useLive.setState(({ keys }) => ({ keys: new Set([...keys].filter((other) => other !== key)) }))
  }
}

/** Gives a cell its editor now. */
export function makeLive(key: string): void {
  useLive.setState(({ keys }) => ({ keys: withNewest(keys, key, near, MAX_EDITORS) }))
}

/** `keys`, oldest first, with `key` as the newest; of too many the oldest that are not `needed` go. */
export function withNewest(keys: ReadonlySet<string>, key: string, needed: string[], most: number): Set<string> {
  const all = [...keys].filter((other) => other !== key)
  const free = all.filter((other) => !needed.includes(other))
  const gone = new Set(free.slice(0, Math.max(0, all.length + 1 - most)))
  return new Set([...all.filter((other) => !gone.has(other)), key])
}

function notice(entries: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    const key = keysOf.get(target)
    if (!key) continue
    near = near.filter((other) => other !== key)
    if (isIntersecting) near.push(key)
  }
  void grow()
}

/** Makes an editor a turn, so that scrolling stays smooth while they come. */
async function grow(): Promise<void> {
  const next = near.findLast((key) => !useLive.getState().keys.has(key))
  if (growing || !next) return
  growing = true
  await kernelSettled()
  setTimeout(() => {
    growing = false
    if (near.includes(next)) makeLive(next)
    void grow()
  })
}

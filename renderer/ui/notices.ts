import { create } from 'zustand'

/** A short message at the edge of the page, with at most one thing to do about it. */
export interface Notice {
  text: string
  tone?: 'plain' | 'bad'
  action?: { label: string; run(): void }
}

const SHOWN_FOR = 8000 // ms

export const useNotices = create<{ notice: (Notice & { id: number }) | null }>(() => ({ notice: null }))

let last = 0

/** Shows a message in place of the one before. */
export function notify(notice: Notice): void {
  const id = ++last
  useNotices.setState({ notice: { ...notice, id } })
  setTimeout(() => dismiss(id), SHOWN_FOR)
}

/** Takes a message away, if it is still the one shown. */
export function dismiss(id: number): void {
  if (useNotices.getState().notice?.id === id) useNotices.setState({ notice: null })
}

import { useSyncExternalStore } from 'react'

/** What the page shows: `#/runs`, `#/notebook/first.ts`, or nothing yet. */
export type Route = { view: 'notebook'; name: string | null } | { view: 'runs' }

/** Reads the part of an address after `#`. */
export function parseRoute(hash: string): Route {
  if (hash === '#/runs') return { view: 'runs' }
  const name = hash.startsWith('#/notebook/') ? decode(hash.slice('#/notebook/'.length)) : ''
  return { view: 'notebook', name: name || null }
}

export function notebookHash(name: string): string {
  return `#/notebook/${encodeURIComponent(name)}`
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return parseRoute(hash)
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

import { useSyncExternalStore } from 'react'

/**
 * What the page shows: `#/notebook/first.ts`, or nothing yet; `#/runs` and `#/runs/<filter>`; `#/run/12`;
 * `#/compare/12,15,study:gating`; `#/data`, `#/data/shapes()` and `#/data/world()/pair`; `#/machines`; `#/start`; `#/papers`; `#/documents`, `#/documents/statistics` and `#/documents/statistics/<section>`,
 * `#/documents//<question>`.
 */
export type Route =
  | { view: 'notebook'; name: string | null }
  | { view: 'runs'; filter: string }
  | { view: 'run'; reference: string }
  | { view: 'compare'; items: string[] }
  | { view: 'data'; of: string; task: string }
  | { view: 'machines' }
  | { view: 'start' }
  | { view: 'papers' }
  | { view: 'documents'; name: string; section: string }

/** Reads the part of an address after `#`. */
export function parseRoute(hash: string): Route {
  const [, view, rest = ''] = /^#\/(\w+)(?:\/(.*))?$/s.exec(hash) ?? []
  if (view === 'runs') return { view, filter: decode(rest) }
  if (view === 'run' && decode(rest)) return { view, reference: decode(rest) }
  if (view === 'compare') return { view, items: [...new Set(rest.split(',').map(decode).filter(Boolean))] }
  if (view === 'data') {
    const [of = '', task = ''] = rest.split('/').map(decode)
    return { view, of, task }
  }
  if (view === 'start' || view === 'papers' || view === 'machines') return { view }
  if (view === 'documents') {
    const [name = '', section = ''] = rest.split('/').map(decode)
    return { view, name, section }
  }
  return { view: 'notebook', name: (view === 'notebook' && decode(rest)) || null }
}

export function notebookHash(name: string): string {
  return `#/notebook/${encodeURIComponent(name)}`
}

/** The table of runs, those that pass a filter. */
export function runsHash(filter = ''): string {
  return filter ? `#/runs/${encodeURIComponent(filter)}` : '#/runs'
}

export function runHash(run: number | string): string {
  return `#/run/${encodeURIComponent(run)}`
}

/** Runs side by side, by id; `study:<name>` stands for all runs of a study. */
export function compareHash(items: readonly (number | string)[]): string {
  return `#/compare/${items.map((item) => encodeURIComponent(item)).join(',')}`
}

export const START_HASH = '#/start'

export const PAPERS_HASH = '#/papers'

export const MACHINES_HASH = '#/machines'

export const DATA_HASH = '#/data'

/** Data that a cell names, read for a task where there is a choice; `run 12`, or `cell gating` of the open notebook. */
export function dataHash(of: string, task = ''): string {
  return `${DATA_HASH}/${[of, task].filter(Boolean).map(encodeURIComponent).join('/')}`
}

/** All documents, or one of them at a section of it; without a name the section is a question to all. */
export function documentHash(name = '', section = ''): string {
  return `#/documents/${encodeURIComponent(name)}/${encodeURIComponent(section)}`.replace(/\/+$/, '')
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

import type { StartedCell } from '../../../engine/host.ts'
import type { StoreParts } from '../parts.ts'

/** A cell that the user started, and whether a page runs it, through a process that lives. */
export type StoredStarted = StartedCell & { held: boolean }

interface Row {
  notebook: string
  cell: string
  json: string
  owner: string | null
}

/** The cells that the user started and that have not ended, in the order in which they were. */
export function listStarted({ all, owners }: StoreParts): StoredStarted[] {
  const rows = all<Row>('select notebook, cell, json, owner from started')
  const cells = rows.map(({ notebook, cell, json, owner }) => {
    const kept = JSON.parse(json) as Omit<StartedCell, 'notebook' | 'cell'>
    return { ...kept, notebook, cell, held: owner !== null && owners.lives(owner) }
  })
  return cells.sort((a, b) => a.at - b.at)
}

/** Keeps a cell that the user has started in this process, in place of what was kept of it. */
export function keepStarted(store: StoreParts, { notebook, cell, ...rest }: StartedCell): void {
  const owner = store.owners.claim(() => {})
  const sql = 'insert or replace into started (notebook, cell, json, owner) values (?, ?, ?, ?)'
  store.run(sql, notebook, cell, JSON.stringify(rest), owner)
}

/** Lets this process run a started cell that no process runs; returns whether it got it. */
export function takeStarted(store: StoreParts, notebook: string, cell: string): boolean {
  const owner = store.owners.claim(() => {})
  return store.write(() => {
    const row = rowOf(store, notebook, cell)
    if (!row || (row.owner !== null && store.owners.lives(row.owner))) return false
    store.run('update started set owner = ? where notebook = ? and cell = ?', owner, notebook, cell)
    return true
  })
}

/** Notes that this process no longer runs a cell, which has not ended. */
export function freeStarted(store: StoreParts, notebook: string, cell: string): void {
  const sql = 'update started set owner = null where notebook = ? and cell = ? and owner = ?'
  store.run(sql, notebook, cell, store.owners.own())
}

/** Forgets a cell: it has ended, or the user does not want it any more. */
export function endStarted({ run }: StoreParts, notebook: string, cell: string): void {
  run('delete from started where notebook = ? and cell = ?', notebook, cell)
}

/** Gives the started cells of a notebook to its new name. */
export function moveStarted({ write, run }: StoreParts, from: string, to: string): void {
  write(() => {
    run('delete from started where notebook = ?', to)
    run('update started set notebook = ? where notebook = ?', to, from)
  })
}

function rowOf({ get }: StoreParts, notebook: string, cell: string): Row | undefined {
  return get<Row>('select notebook, cell, json, owner from started where notebook = ? and cell = ?', notebook, cell)
}

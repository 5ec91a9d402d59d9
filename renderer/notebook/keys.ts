import type { KeyboardEvent } from 'react'
import { addCell, select, selectBeside } from './actions.ts'
import type { PageCell } from './edit.ts'
import { runCells } from './run.ts'
import { useNotebook } from './state.ts'

/** Acts on a key pressed in a cell. Returns whether the key was one of the notebook's. */
export function handleCellKey(event: KeyboardEvent, cell: PageCell, index: number): boolean {
  const command = event.ctrlKey || event.metaKey
  if (event.key === 'Enter' && (event.shiftKey || command) && !event.altKey) {
    run(cell)
    if (event.shiftKey) goOn(cell, index)
    return true
  }
  const inside = event.target !== event.currentTarget
  if (inside || command || event.altKey || event.shiftKey) return false
  const act = KEYS[event.key]
  act?.(cell, index)
  if (act) reveal()
  return act !== undefined
}

/** Keys of a selected cell that is not being written in. */
const KEYS: Record<string, (cell: PageCell, index: number) => void> = {
  ArrowUp: () => selectBeside(-1),
  ArrowDown: () => selectBeside(1),
  Enter: (cell) => select(cell.key, true),
  a: (_, index) => addCell(index),
  b: (_, index) => addCell(index + 1),
}

/** Markdown and SQL have nothing to run; leaving the editor shows them. */
function run(cell: PageCell): void {
  if (cell.kind === 'code') runCells([cell.id])
  if (cell.kind === 'markdown') select(cell.key)
}

function goOn(cell: PageCell, index: number): void {
  const next = useNotebook.getState().cells[index + 1]
  if (next) select(next.key)
  else if (cell.source) addCell(index + 1)
  reveal()
}

/** Brings the selected cell into view, once it is drawn. */
function reveal(): void {
  requestAnimationFrame(() => document.querySelector('[data-selected="true"]')?.scrollIntoView({ block: 'nearest' }))
}

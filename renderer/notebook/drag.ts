import type { DragEvent } from 'react'
import { create } from 'zustand'
import { moveBeside } from '../session/actions.ts'

type Side = 'before' | 'after'

/** The cell that is dragged, and where it would be put. */
const useDrag = create<{ dragged: string | null; over: string | null; side: Side }>(() => ({
  dragged: null,
  over: null,
  side: 'before',
}))

/** The side of a cell on which a dragged one would be put, or undefined. */
export function useDropSide(key: string): Side | undefined {
  return useDrag((state) => (state.over === key ? state.side : undefined))
}

/** Begins to drag a cell by its handle; the whole cell is shown at the pointer. */
export function startDragging(event: DragEvent, key: string): void {
  const frame = (event.target as Element).closest('[data-key]')
  if (frame) event.dataTransfer.setDragImage(frame, 0, 0)
  event.dataTransfer.effectAllowed = 'move'
  useDrag.setState({ dragged: key, over: null })
}

/** Follows a dragged cell over the others. */
export function overCells(event: DragEvent): void {
  const { dragged, over, side } = useDrag.getState()
  const frame = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-key]') : null
  if (!dragged || !frame) return
  event.preventDefault()
  const { top, height } = frame.getBoundingClientRect()
  const now: Side = event.clientY < top + height / 2 ? 'before' : 'after'
  const key = frame.dataset.key ?? null
  if (key !== over || now !== side) useDrag.setState({ over: key, side: now })
}

/** Puts the dragged cell where it was let go. */
export function dropped(event: DragEvent): void {
  const { dragged, over, side } = useDrag.getState()
  if (!dragged) return
  event.preventDefault()
  if (over) moveBeside(dragged, over, side)
  stopDragging()
}

export function stopDragging(): void {
  useDrag.setState({ dragged: null, over: null })
}

import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { Panel } from '../../engine/runs/wall.ts'
import { moved, resized } from './panels.ts'
import { change, useWall } from './state.ts'

const STEPS: Readonly<Record<string, [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const panelAt = (x: number, y: number) => {
  const found = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-panel]')
  return found?.dataset.panel ?? null
}

const placeOf = (id: string) => useWall.getState().wall?.panels.findIndex((panel) => panel.id === id) ?? -1

/** Calls `move` while the pointer is held down and `end` when it is let go. */
function follow(move: (event: globalThis.PointerEvent) => void, end: () => void): void {
  const up = () => {
    window.removeEventListener('pointermove', move)
    for (const name of ['pointerup', 'pointercancel']) window.removeEventListener(name, up)
    end()
  }
  window.addEventListener('pointermove', move)
  for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, up)
}

/** Moves a panel by its handle: dragged onto another one, it takes the place of that; by arrow keys, place by place. */
export function useMove(id: string) {
  const [dragged, setDragged] = useState(false)
  return {
    dragged,
    handle: {
      onPointerDown(event: PointerEvent<HTMLButtonElement>) {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.focus()
        let over: string | null = null
        const mark = (next: string | null) => {
          if (over) document.querySelector(`[data-panel="${over}"]`)?.removeAttribute('data-over')
          over = next === id ? null : next
          if (over) document.querySelector(`[data-panel="${over}"]`)?.setAttribute('data-over', '')
        }
        setDragged(true)
        follow(
          ({ clientX, clientY }) => mark(panelAt(clientX, clientY)),
          () => {
            const target = over
            mark(null)
            setDragged(false)
            if (target) change((wall) => moved(wall, id, placeOf(target)))
          },
        )
      },
      onKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
        const [x, y] = STEPS[event.key] ?? [0, 0]
        if (x + y === 0) return
        event.preventDefault()
        const handle = event.currentTarget
        change((wall) => moved(wall, id, placeOf(id) + x + y))
        // the panel may have been taken out and put in at its new place, where the focus follows
        requestAnimationFrame(() => {
          handle.focus()
          handle.scrollIntoView({ block: 'nearest' })
        })
      },
    },
  }
}

/** Sizes a panel by its corner, by dragging it or by arrow keys. */
export function useSize({ id, width, height }: Panel) {
  return {
    onPointerDown(event: PointerEvent<HTMLButtonElement>) {
      const panel = event.currentTarget.closest<HTMLElement>('[data-panel]')
      if (event.button !== 0 || !panel) return
      event.preventDefault()
      event.currentTarget.focus()
      const { clientX, clientY } = event
      const [column, row] = [panel.clientWidth / width, panel.clientHeight / height]
      let [wide, high] = [0, 0]
      follow(
        (now) => {
          const [x, y] = [Math.round((now.clientX - clientX) / column), Math.round((now.clientY - clientY) / row)]
          if (x === wide && y === high) return
          const [byX, byY] = [x - wide, y - high]
          ;[wide, high] = [x, y]
          change((wall) => resized(wall, id, { width: byX, height: byY }))
        },
        () => {},
      )
    },
    onKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
      const [x, y] = STEPS[event.key] ?? [0, 0]
      if (x === 0 && y === 0) return
      event.preventDefault()
      change((wall) => resized(wall, id, { width: x, height: y }))
    },
  }
}

import { readFileSync, writeFileSync } from 'node:fs'
import type { BrowserWindow, Rectangle } from 'electron'

/** Where a window was when it was closed. */
export interface WindowState {
  bounds: Partial<Rectangle> & { width: number; height: number }
  maximized: boolean
}

const initial: WindowState = { bounds: { width: 1280, height: 860 }, maximized: false }
const minimum = { width: 480, height: 320 }
/** So much of the title bar, in pixels, has to be on a display for a window to be within reach. */
const REACHABLE_TITLE_BAR = { width: 120, height: 24 }

/** The state kept in `file`; the initial one if there is none, it makes no sense, or its display is gone. */
export function readWindowState(file: string, workAreas: Rectangle[]): WindowState {
  try {
    const { bounds, maximized } = JSON.parse(readFileSync(file, 'utf8'))
    if (!isRectangle(bounds) || !workAreas.some((area) => reaches(area, bounds))) return initial
    const { x, y, width, height } = bounds
    return { bounds: { x, y, width, height }, maximized: maximized === true }
  } catch {
    return initial
  }
}

/** Keeps the state of `window` in `file` when it is closed. */
export function keepWindowState(window: BrowserWindow, file: string): void {
  window.on('close', () => {
    try {
      writeFileSync(file, JSON.stringify({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }))
    } catch {} // a window that opens in another place next time is no reason to keep this one from closing
  })
}

function isRectangle(value: Partial<Record<keyof Rectangle, unknown>> | undefined): value is Rectangle {
  return (
    [value?.x, value?.y, value?.width, value?.height].every(Number.isSafeInteger) &&
    Number(value?.width) >= minimum.width &&
    Number(value?.height) >= minimum.height
  )
}

/** Whether enough of the upper edge of `bounds` lies in `area`. */
function reaches(area: Rectangle, bounds: Rectangle): boolean {
  const width = Math.min(area.x + area.width, bounds.x + bounds.width) - Math.max(area.x, bounds.x)
  return (
    width >= REACHABLE_TITLE_BAR.width &&
    bounds.y >= area.y &&
    bounds.y + REACHABLE_TITLE_BAR.height <= area.y + area.height
  )
}

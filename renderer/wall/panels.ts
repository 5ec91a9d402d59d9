import { MAX_SPAN, type Panel, type PanelKind, type Wall } from '../../engine/runs/wall.ts'

/** What kinds of panels are called. */
export const KIND_WORDS: Record<PanelKind, string> = {
  curves: 'curves over training',
  values: 'values by group',
  scatter: 'one column against another',
  parallel: 'parallel coordinates',
  best: 'table of the best runs',
}

/** What a panel is called. */
export function panelTitle({ kind, metric, x = '' }: Panel): string {
  switch (kind) {
    case 'curves':
      return metric
    case 'values':
      return `${metric} by group`
    case 'scatter':
      return `${metric} against ${x}`
    case 'parallel':
      return `${metric} by options`
    case 'best':
      return `best by ${metric}`
  }
}

/** The wall with a panel changed. */
export function withPanel(wall: Wall, id: string, changes: Partial<Panel>): Wall {
  return { ...wall, panels: wall.panels.map((panel) => (panel.id === id ? { ...panel, ...changes } : panel)) }
}

/** The wall with a panel more or fewer columns wide and rows high, as far as there are such sizes. */
export function resized(wall: Wall, id: string, by: { width?: number; height?: number }): Wall {
  const size = (now: number, more = 0) => Math.max(1, Math.min(MAX_SPAN, now + more))
  const panel = wall.panels.find((each) => each.id === id)
  if (!panel) return wall
  return withPanel(wall, id, { width: size(panel.width, by.width), height: size(panel.height, by.height) })
}

/** The wall with a panel at another place among the panels; places beyond the ends are the ends. */
export function moved(wall: Wall, id: string, place: number): Wall {
  const panel = wall.panels.find((each) => each.id === id)
  if (!panel) return wall
  const others = wall.panels.filter((each) => each !== panel)
  return { ...wall, panels: others.toSpliced(Math.max(0, Math.min(others.length, place)), 0, panel) }
}

/** An id that no panel of the wall has. */
export function freeId({ panels }: Wall): string {
  const taken = new Set(panels.map(({ id }) => id))
  let number = panels.length + 1
  while (taken.has(`p${number}`)) number++
  return `p${number}`
}

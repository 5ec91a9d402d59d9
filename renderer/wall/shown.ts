import { z } from 'zod'
import { remember, remembered } from '../ui/remembered.ts'

const shown = z.object({ hidden: z.array(z.string()), picked: z.array(z.int()) })

/** The groups of a wall that are not drawn, and the runs on top of them. */
export type Shown = z.output<typeof shown>

/** What this tab has kept of a wall that groups by some columns; null for nothing. */
export function rememberedShown(wall: string, by: readonly string[]): Shown | null {
  const { success, data } = shown.safeParse(remembered(keyOf(wall, by), true))
  return success ? data : null
}

export function rememberShown(wall: string, by: readonly string[], shown: Shown): void {
  remember(keyOf(wall, by), shown, true)
}

function keyOf(wall: string, by: readonly string[]): string {
  return `mixlab.wall.shown ${JSON.stringify([wall, ...by])}`
}

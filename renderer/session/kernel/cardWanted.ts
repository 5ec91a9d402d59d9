import { z } from 'zod'
import { POWER } from '../../../engine/backends/webgpu/card.ts'
import type { CardWanted } from '../../protocol/kernel.ts'
import { remember, remembered } from '../../ui/remembered.ts'

const KEY = 'mixlab.card'
const schema = z.object({ power: z.enum(POWER), losses: z.int().min(0).max(2) })

/** Which graphics card is used, and how carefully; the browser keeps it, and the hidden window sees the same. */
export function cardWanted(): CardWanted {
  return schema.safeParse(remembered(KEY)).data ?? { power: 'high-performance', losses: 0 }
}

/** Changes that; the next kernel goes by it. */
export function wantCard(change: Partial<CardWanted>): void {
  remember(KEY, { ...cardWanted(), ...change })
}

import type { GroupLooks } from '../../engine/charts/wall/groups.ts'
import type { WallRows } from './useRows.ts'

/** What all panels of a wall draw, and how. */
export interface Drawn {
  filter: string
  rows: WallRows
  /** The groups of these rows. */
  groups: { name: string }[]
  looks: GroupLooks
  /** Runs that are drawn one by one. */
  picked: readonly number[]
  /** Changes where the store is to be asked again. */
  stamp: string
}

import { create } from 'zustand'
import { useConnection } from '../host/state.ts'
import { remember, remembered } from '../ui/remembered.ts'

const STORED = 'mixlab.following'

interface Following {
  /** By workspace and name. */
  notebooks: string[]
}

/** Notebooks whose cells follow: a choice of the user, which no notebook brings along. */
export const useFollowing = create<Following>(() => ({ notebooks: stored() }))

/** Whether the cells of a notebook follow. */
export function follows(name: string, { notebooks }: Following = useFollowing.getState()): boolean {
  return notebooks.includes(keyOf(name))
}

/** Lets the cells of a notebook follow, or not, and remembers it. */
export function setFollows(name: string, on: boolean): void {
  const others = useFollowing.getState().notebooks.filter((key) => key !== keyOf(name))
  const notebooks = on ? [...others, keyOf(name)] : others
  remember(STORED, notebooks)
  useFollowing.setState({ notebooks })
}

function keyOf(name: string): string {
  return `${useConnection.getState().description?.workspace}/${name}`
}

function stored(): string[] {
  const value = remembered(STORED)
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

import { create } from 'zustand'
import { messageOf } from '../../engine/errors.ts'
import type { KeptWall, Wall } from '../../engine/runs/wall.ts'
import { host, useConnection } from '../host/state.ts'
import { notify } from '../ui/notices.ts'
import { remember, remembered } from '../ui/remembered.ts'
import { rememberedShown, rememberShown } from './shown.ts'

interface WallState {
  /** The names of the walls that the workspace keeps. */
  names: string[]
  /** The one that is shown; null before the first answer. */
  name: string | null
  wall: Wall | null
  /** What the store has of it; null where it was never kept. */
  revision: number | null
  /** Whether it has changes that the store has not. */
  dirty: boolean
  /** The panel that is shown alone. */
  whole: string | null
  /** Groups that are not drawn. */
  hidden: ReadonlySet<string>
  /** Runs that are drawn one by one, on top. */
  picked: readonly number[]
}

const FIRST: WallState = {
  ...{ names: [], name: null, wall: null, revision: null, dirty: false, whole: null },
  hidden: new Set(),
  picked: [],
}

export const useWall = create<WallState>(() => FIRST)

// a reload of this tab draws the same groups, and the same runs on top
useWall.subscribe((now, before) => {
  const { name, wall, hidden, picked } = now
  if (name === null || !wall) return
  if (name === before.name && hidden === before.hidden && picked === before.picked) return
  rememberShown(name, wall.by, { hidden: [...hidden], picked: [...picked] })
})

const FIRST_NAME = 'Charts'
/** Changes that come together are kept together. */
const SETTLE = 300 // ms

let timer: ReturnType<typeof setTimeout> | undefined
let keeping: Promise<void> = Promise.resolve()

/**
 * Reads the walls of the workspace, and shows the one that was shown last, in this tab or, where that has another name now,
 * in any; `first` where there is none.
 */
export async function openWalls(first: () => Wall): Promise<void> {
  try {
    const kept = await host().listWalls()
    const { name, dirty } = useWall.getState()
    useWall.setState({ names: kept.map((each) => each.name) })
    if (dirty) return
    const called = (wanted: unknown) => kept.find((each) => each.name === wanted)
    const found = called(name) ?? called(remembered(keyOf())) ?? kept[0]
    if (found) return show(found)
    const wall = first()
    show({ name: FIRST_NAME, wall, revision: null })
    useWall.setState({ wall })
  } catch (error) {
    notify({ tone: 'bad', text: messageOf(error) })
  }
}

function show({ name, wall, revision }: Pick<WallState, 'revision'> & Omit<KeptWall, 'revision'>): void {
  const before = useWall.getState()
  if (before.name === name && before.revision === revision) return
  const other = before.name !== name
  const kept = other ? rememberedShown(name, wall.by) : null
  useWall.setState({
    ...{ name, wall, revision },
    ...(other ? { whole: null, hidden: new Set(kept?.hidden) } : {}),
    // runs that were chosen in the table are on top already
    ...(kept && before.picked.length === 0 ? { picked: kept.picked } : {}),
  })
  remember(keyOf(), name)
}

/** Changes the wall that is shown, and keeps it. */
export function change(how: (wall: Wall) => Wall): void {
  const { wall } = useWall.getState()
  const next = wall && how(wall)
  if (!next || next === wall) return
  const regrouped = next.by.join() !== wall.by.join()
  useWall.setState({ wall: next, dirty: true, ...(regrouped ? { hidden: new Set<string>() } : {}) })
  clearTimeout(timer)
  timer = setTimeout(keep, SETTLE)
}

/** Keeps what has changed, after what is being kept. */
function keep(): Promise<void> {
  clearTimeout(timer)
  keeping = keeping.then(async () => {
    const { name, wall, revision, dirty } = useWall.getState()
    if (!dirty || name === null || !wall) return
    try {
      const next = await host().keepWall(name, wall, revision)
      const now = useWall.getState()
      if (now.name !== name) return
      useWall.setState({ revision: next, dirty: now.wall !== wall, names: withName(now.names, name) })
    } catch (error) {
      // whoever was first is right; what is shown is what is kept
      useWall.setState({ dirty: false, revision: null })
      await openWalls(() => wall)
      const shown = useWall.getState().name
      const instead = shown === name ? 'it is shown as it is now' : `${shown} is shown`
      notify({ tone: 'bad', text: `${messageOf(error)}: ${instead}` })
    }
  })
  return keeping
}

/** Shows another wall of the workspace. */
export async function showWall(name: string): Promise<void> {
  await keep()
  const found = await guarded(async () => (await host().listWalls()).find((each) => each.name === name))
  if (found) show(found)
}

/** Keeps a wall under a name of its own and shows it; the name is made free by a number. */
export async function addWall(wall: Wall, wanted: string): Promise<void> {
  await keep()
  const taken = new Set([...useWall.getState().names, useWall.getState().name])
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`
  const revision = await guarded(() => host().keepWall(name, wall, null))
  if (revision === undefined) return
  useWall.setState(({ names }) => ({ names: withName(names, name) }))
  show({ name, wall, revision })
}

/** Gives the wall that is shown another name. */
export async function renameWall(to: string): Promise<void> {
  await keep()
  const { name, wall, revision } = useWall.getState()
  if (name === null || !wall || to === name) return
  const renamed = await guarded(async () => {
    if (revision === null) return host().keepWall(to, wall, null)
    await host().renameWall(name, to)
    return revision
  })
  if (renamed === undefined) return
  const names = useWall.getState().names.filter((each) => each !== name)
  useWall.setState({ name: to, revision: renamed, names: withName(names, to) })
  remember(keyOf(), to)
}

/** Removes the wall that is shown, and shows another one; `first` where there is none. */
export async function removeWall(first: () => Wall): Promise<void> {
  await keep()
  const { name, wall, revision } = useWall.getState()
  if (name === null || !wall || revision === null) return
  const removed = await guarded(() =>
    host()
      .removeWall(name)
      .then(() => true),
  )
  if (!removed) return
  useWall.setState({ name: null, revision: null, dirty: false })
  await openWalls(first)
  notify({ text: `${name} was removed`, action: { label: 'Undo', run: () => void addWall(wall, name) } })
}

/** Shows a panel alone, or all of them again. */
export function showWhole(whole: string | null): void {
  useWall.setState({ whole })
}

export function setHidden(hidden: Iterable<string>): void {
  useWall.setState({ hidden: new Set(hidden) })
}

/** Draws a run on top of the groups, or no longer. */
export function pick(run: number, wanted: boolean): void {
  useWall.setState(({ picked }) => {
    const others = picked.filter((each) => each !== run)
    return { picked: wanted ? [...others, run] : others }
  })
}

/** Draws these runs on top, and no others. */
export function setPicked(picked: readonly number[]): void {
  useWall.setState({ picked })
}

async function guarded<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work()
  } catch (error) {
    notify({ tone: 'bad', text: messageOf(error) })
    return undefined
  }
}

function withName(names: string[], name: string): string[] {
  return [...new Set([...names, name])].sort((a, b) => a.localeCompare(b))
}

function keyOf(): string {
  return `mixlab.wall ${useConnection.getState().description?.workspace ?? ''}`
}

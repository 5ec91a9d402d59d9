import { messageOf } from '../../../engine/errors.ts'
import { host, useConnection } from '../../host/state.ts'
import { notify } from '../../ui/notices.ts'
import { notebookHash } from '../../ui/route.ts'
import { forgetSteps } from '../open.ts'
import { useNotebook } from '../state.ts'
import { save } from './save.ts'

const ONE_EMPTY_CELL = '// %%\n'

let making = false
/** The notebook just made, until it is shown. */
let fresh: string | null = null

/**
 * Starts a notebook, which can be named later, and shows it with the caret in its cell. It is a file from the first
 * moment. What is pressed meanwhile makes no second one.
 */
export async function newNotebook(): Promise<void> {
  if (making || fresh !== null) return
  making = true
  fresh = await addNotebook('untitled', () => ONE_EMPTY_CELL)
  making = false
}

/** Whether the notebook that is shown now was just made, to be written in. */
export function takeFresh(name: string): boolean {
  const made = fresh === name
  fresh = null
  return made
}

/** Makes a copy of a notebook, as it is now, with what its cells show. */
export async function duplicateNotebook(name: string): Promise<void> {
  const base = name.replace(/\.ts$/, '')
  const textOf = async () => {
    if (useNotebook.getState().name === name) await save()
    return (await host().readNotebook(name)).text
  }
  const copy = await addNotebook(`${base}-copy`, textOf, `${name} was not duplicated`, async (made) => {
    for (const output of await host().readOutputs(name)) await host().writeOutput(made, output)
  })
  if (copy) notify({ text: `'${copy}' is a copy of '${name}'.` })
}

/**
 * Writes a notebook into the workspace, under a name or with the next number that is free, and shows it; `before` comes
 * first. Returns the name, or null where it was not made.
 */
export async function addNotebook(
  base: string,
  textOf: () => string | Promise<string>,
  failed = 'No notebook was made',
  before: (name: string) => Promise<void> = async () => {},
): Promise<string | null> {
  try {
    const text = await textOf()
    const name = freeName(base, await host().listNotebooks())
    await host().writeNotebook(name, text, null)
    forgetSteps(name)
    await before(name)
    await refreshNotebooks()
    location.hash = notebookHash(name)
    return name
  } catch (error) {
    notify({ tone: 'bad', text: `${failed}: ${messageOf(error)}` })
    return null
  }
}

/** Looks which notebooks the workspace has. */
export async function refreshNotebooks(): Promise<void> {
  const notebooks = await useConnection
    .getState()
    .host?.listNotebooks()
    .catch(() => null)
  if (notebooks) useConnection.setState({ notebooks })
}

/** `untitled.ts`, or with the first number that is free. */
export function freeName(base: string, taken: string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${base}.ts` : `${base}-${number}.ts`
    if (!taken.includes(name)) return name
  }
}

import { messageOf } from '../../../engine/errors.ts'
import { readIpynb } from '../../../engine/notebook/ipynb/index.ts'
import { printNotebook } from '../../../engine/notebook/print.ts'
import { host } from '../../host/state.ts'
import { notify } from '../../ui/notices.ts'
import { notebookHash } from '../../ui/route.ts'
import { refreshNotebooks } from './files.ts'

/** Lets the user choose a Jupyter notebook, and shows it as a new notebook of the workspace. */
export function importJupyter(): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.ipynb'
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file) void addJupyter(file)
  })
  input.click()
}

/** Adds a Jupyter notebook to the workspace, under its own name or the next that is free. */
export async function addJupyter(file: Pick<File, 'name' | 'text'>): Promise<void> {
  try {
    const text = printNotebook(readIpynb(await file.text()))
    const name = freeName(file.name, await host().listNotebooks())
    await host().writeNotebook(name, text, null)
    await refreshNotebooks()
    location.hash = notebookHash(name)
  } catch (error) {
    notify({ tone: 'bad', text: `${file.name} was not imported: ${messageOf(error)}` })
  }
}

/** `notes.ts` for `notes.ipynb`, then `notes-2.ts`; signs that no notebook's name can have become `-`. */
export function freeName(file: string, taken: string[]): string {
  const plain = file
    .replace(/\.ipynb$/i, '')
    .replace(/[^\p{L}\p{N}_ -]+/gu, '-')
    .slice(0, 100)
  const base = plain || 'notebook'
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${base}.ts` : `${base}-${number}.ts`
    if (!taken.includes(name)) return name
  }
}

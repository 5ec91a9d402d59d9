import { readIpynb } from '../../../engine/notebook/ipynb/index.ts'
import { printNotebook } from '../../../engine/notebook/print.ts'
import { notify } from '../../ui/notices.ts'
import { addNotebook } from './files.ts'

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
  const notes: string[] = []
  const textOf = async () => printNotebook(readIpynb(await file.text(), (note) => notes.push(note)))
  const name = await addNotebook(baseOf(file.name), textOf, `${file.name} was not imported`)
  if (name && notes.length > 0) notify({ text: `${file.name} was imported. ${notes.join(' ')}` })
}

/** `notes` of `notes.ipynb`; signs that no notebook's name can have become `-`. */
export function baseOf(file: string): string {
  const plain = file
    .replace(/\.ipynb$/i, '')
    .replace(/[^\p{L}\p{N}_ -]+/gu, '-')
    .slice(0, 100)
  return plain || 'notebook'
}

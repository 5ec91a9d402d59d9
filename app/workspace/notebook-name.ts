import { MixlabError } from '../../engine/errors.ts'

/** Throws MixlabError `notebook` unless `name` is a plain file name ending in `.ts`. */
export function checkName(name: string): void {
  if (isNotebookName(name)) return
  throw new MixlabError('notebook', name, "not a notebook name; allowed is a file name such as 'notes.ts', no folders")
}

/** Whether a notebook can have this name. */
export function isNotebookName(name: string): boolean {
  // Control characters and what some file system gives a meaning of its own.
  const plain = !/[\p{Cc}/\\:*?"<>|]/u.test(name) && !name.startsWith('.') && !name.includes('..')
  return plain && name.length <= 200 && /[^.]\.ts$/.test(name) && !name.endsWith('.d.ts')
}

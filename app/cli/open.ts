import { basename, dirname, resolve } from 'node:path'
import { openDesktop } from '../start.ts'
import { checkName } from '../workspace/notebook-name.ts'
import { type CliCommand, workspaceOf } from './command.ts'
import { notebookAt } from './training/readNotebook.ts'

export const open: CliCommand = {
  name: 'open',
  synopsis: '[notebook]',
  summary: 'the workbench in a window of its own, or else in the browser',
  words: [0, 1],
  options: {},
  run: async (given, { out, signal }) => {
    const [notebook] = given.words
    if (notebook !== undefined) {
      checkName(basename(notebook))
      await notebookAt(resolve(notebook))
    }
    const workspace =
      notebook && given.options.workspace === undefined ? dirname(resolve(notebook)) : workspaceOf(given)
    const print = (line: string) => out(given.options.json ? JSON.stringify({ message: line }) : line)
    await openDesktop({ workspace, ...(notebook ? { notebook: basename(notebook) } : {}), print, signal })
    return 0
  },
}

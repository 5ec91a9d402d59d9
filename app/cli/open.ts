import { basename, dirname, resolve } from 'node:path'
import { openDesktop } from '../start.ts'
import { type CliCommand, workspaceOf } from './command.ts'

export const open: CliCommand = {
  name: 'open',
  synopsis: '[notebook]',
  summary: 'the workbench in a window of its own, or else in the browser',
  words: [0, 1],
  options: {},
  run: async (given, { out, signal }) => {
    const [notebook] = given.words
    const workspace =
      notebook && given.options.workspace === undefined ? dirname(resolve(notebook)) : workspaceOf(given)
    await openDesktop({ workspace, ...(notebook ? { notebook: basename(notebook) } : {}), print: out, signal })
    return 0
  },
}

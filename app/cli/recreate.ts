import { existsSync } from 'node:fs'
import { MixlabError } from '../../engine/errors.ts'
import { chosenFor } from '../../engine/study/recreate/chosen.ts'
import { recreateNotebook } from '../../engine/study/recreate/recreate.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { type CliCommand, outputOf } from './command.ts'
import { withHost } from './given/host.ts'

export const recreate: CliCommand = {
  name: 'recreate',
  synopsis: '<run> [-o PATH]',
  summary: 'a notebook whose study is this run alone; what the store has is not trained again',
  words: [1, 1],
  options: { output: { short: 'o', value: 'PATH', help: 'the file to write, a new one' } },
  run: async (given, output) => {
    return withHost(given, async (host) => {
      const run = await host.showRun(given.words[0] ?? '')
      const text = recreateNotebook(run, chosenFor(run.key, await host.designsOf([run.key])))
      const path = given.options.output ? outputOf(given) : null
      if (path && existsSync(path)) throw new MixlabError('option', '--output', `'${path}' is there already`)
      if (path) await writeAtomic(path, text)
      if (given.options.json) output.out(JSON.stringify(path ? { run: run.id, path } : { run: run.id, text }))
      else output.out(path ?? text.trimEnd())
      return 0
    })
  },
}

import { MixlabError } from '../../../engine/errors.ts'
import type { ComparisonFamily } from '../../../engine/records/design.ts'
import { levelAt } from '../../../engine/study/ledger/comparisons.ts'
import { fewestSeeds } from '../../../engine/study/statistics/signFlip.ts'
import { openHost } from '../../host.ts'
import { type CliCommand, workspaceOf } from '../command.ts'
import { withHost } from '../given/host.ts'
import { table } from '../terminal/table.ts'

export const family: CliCommand = {
  name: 'family',
  synopsis: '[close N]',
  summary: 'list the families of comparisons in the ledger, or close one, so that the next comparison begins another',
  words: [0, 2],
  options: {},
  run: async (given, output) => {
    const [word, number] = given.words
    if (word === undefined) {
      const all = await withHost(given, (host) => host.listFamilies())
      if (given.options.json) output.out(JSON.stringify({ families: all }))
      else for (const line of linesOf(all)) output.out(line)
      return 0
    }
    if (word !== 'close') throw new MixlabError('option', 'family', `'${word}', expected 'close' and a number`)
    const id = Number(number)
    if (!Number.isSafeInteger(id) || id < 1) {
      throw new MixlabError('option', 'family close', `'${number ?? ''}', expected the number of a family`)
    }
    const host = openHost({ workspace: workspaceOf(given) })
    try {
      await host.closeFamily(id)
      const closed = (await host.listFamilies()).find((each) => each.id === id)
      if (given.options.json) output.out(JSON.stringify({ closed }))
      else
        output.out(`closed family ${id}: the next comparison of its networks begins another, and its sentence says so`)
      return 0
    } finally {
      host.close()
    }
  },
}

function linesOf(all: readonly ComparisonFamily[]): string[] {
  if (all.length === 0) return ['no comparison is in the ledger']
  const heads = ['family', 'comparisons', 'studies', 'variants', 'since', 'seeds that can show the next']
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const rows = all.map(({ id, comparisons, studies, variants, openedAt, closedAt }) => [
    String(id),
    String(comparisons),
    named(studies),
    named(variants),
    day(openedAt),
    closedAt === null ? String(fewestSeeds(levelAt(comparisons + 1))) : `closed ${day(closedAt)}`,
  ])
  return table(heads, rows)
}

/** Names that are written out; of more their number is. */
const NAMED = 4

function named(all: readonly string[]): string {
  const more = all.length - NAMED
  return `${all.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

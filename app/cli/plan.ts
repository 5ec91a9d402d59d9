import { isAbsolute, relative, resolve } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import { familyOutlookText } from '../../engine/study/ledger/familyVerdict.ts'
import { amountText, type OutlookOfQuestion } from '../../engine/study/planned/outlook.ts'
import { plannedText } from '../../engine/study/planned/words.ts'
import { openHost } from '../host.ts'
import { type Arguments, type CliCommand, EXIT, TRUST, workspaceOf } from './command.ts'
import { table } from './terminal/table.ts'
import { plansIn } from './training/plans.ts'
import { type Planned, plannedOf } from './training/prospect.ts'
import { notebookAt } from './training/readNotebook.ts'

export const plan: CliCommand = {
  name: 'plan',
  synopsis: '<notebook>',
  summary: 'what the studies of a notebook can show, and what they cost, before anything is trained',
  words: [1, 1],
  options: {
    study: { value: 'S', help: 'only this study' },
    effect: { value: 'E', help: 'tell the power for this effect, in the unit of the metric, e.g. 0.01 for a point' },
    data: { value: 'DIR', help: 'let the notebook read data files below this folder' },
    trust: TRUST,
  },
  run: async (given, output) => {
    const effect = effectOf(given)
    const path = resolve(given.words[0] ?? '')
    const notebook = await notebookAt(path)
    const data = given.options.data === undefined ? [] : [String(given.options.data)]
    const trusted = given.options.trust === true
    const study = given.options.study === undefined ? null : String(given.options.study)
    const host = openHost({ workspace: workspaceOf(given), data, unrestricted: trusted })
    try {
      const { workspace } = await host.describe()
      const below = relative(workspace, path)
      const name = below.startsWith('..') || isAbsolute(below) ? path : below
      const found = await plansIn({ notebook, name, trusted, study }, host, output)
      if (found.interrupted) {
        output.err('interrupted while data were read')
        return EXIT.interrupted
      }
      const all: Planned[] = []
      for (const event of found.plans) all.push(await plannedOf(event, host, effect))
      if (given.options.json) output.out(JSON.stringify({ notebook: name, studies: all }))
      else for (const each of all) for (const line of linesOf(each)) output.out(line)
      for (const line of found.failed) output.err(line)
      return found.failed.length > 0 ? EXIT.error : 0
    } finally {
      host.close()
    }
  },
}

function effectOf({ options }: Arguments): number | undefined {
  if (options.effect === undefined) return undefined
  const effect = Number(options.effect)
  if (Number.isFinite(effect) && effect !== 0) return effect
  throw new MixlabError('option', '--effect', `'${options.effect}', expected a number that is not 0`)
}

function linesOf({ study, variants, planned, outlook, looks, meaning, effect, cost }: Planned): string[] {
  const at = effect === null ? '1 sd' : amountText(effect, meaning)
  const isWithin = outlook.questions.some(({ equal }) => equal !== null)
  const heads = [
    'question',
    'tests',
    'seeds that can',
    'shown at 0.8',
    `power at ${at}`,
    'seeds for 0.8',
    ...(isWithin ? ['power to be equal', 'seeds for 0.8'] : []),
  ]
  const rows = outlook.questions.map((each) => [
    each.title,
    String(each.comparisons),
    String(each.needed),
    smallestText(each, meaning),
    each.power.toFixed(2),
    seedsText(each.seedsForPower),
    ...(isWithin ? [each.equal === null ? '-' : each.equal.toFixed(2), seedsText(each.seedsForEqual)] : []),
  ])
  const text = planned && plannedText(planned)
  const departs = planned?.departs.map((each) => `exploratory: ${each}`) ?? []
  const problems = new Set(outlook.questions.flatMap(({ problem }) => problem ?? []))
  const alone = variants < 2 ? 'one variant: there is nothing to compare it with' : 'nothing is asked of these runs'
  const compared = rows.length > 0 ? table(heads, rows) : [alone]
  const looked = looks && rows.length > 0 ? [looks] : []
  const family = outlook.family ? [familyOutlookText(outlook.family)] : []
  return [study, ...(text ? [text] : []), ...departs, ...looked, ...compared, ...problems, ...family, ...cost, '']
}

function seedsText(seeds: number | null): string {
  return seeds === null ? 'over 200' : String(seeds)
}

function smallestText({ smallest, amount }: OutlookOfQuestion, meaning: Planned['meaning']): string {
  if (smallest === null) return 'nothing'
  return amount === null ? `${smallest.toFixed(1)} sd` : amountText(amount, meaning)
}

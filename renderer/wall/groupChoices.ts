import { type Column, columnName } from '../../engine/runs/column.ts'
import type { FactName } from '../../engine/runs/facts.ts'
import type { ChoiceGroup, ChoiceOption } from '../ui/Choice.tsx'

const FIRST = ['model.block', 'data']
const FACTS: FactName[] = [
  ...(['study', 'id', 'seed', 'status', 'backend', 'device', 'notebook', 'cell', 'tags', 'parameters'] as const),
]
const WORDS: Readonly<Record<string, string>> = { 'model.block': 'block', data: 'data set', id: 'run' }

/**
 * The columns by which runs can be grouped: the options in which they differ first, which are the factors of a study, then
 * facts. Options that all share tell no groups apart: of those only the chosen ones are there. `taken` is left out.
 */
export function groupChoices(
  differing: readonly string[],
  chosen: readonly string[],
  taken = '',
): (ChoiceOption<string> | ChoiceGroup<string>)[] {
  const differ = optionColumns(differing).sort((a, b) => rank(a) - rank(b))
  const shared = chosen.filter((name) => ![...differ, ...FACTS, 'variant', ''].includes(name))
  const said = (names: readonly string[]) => {
    return names.flatMap((name) => (name === taken ? [] : [[name, WORDS[name] ?? name] as const]))
  }
  return [
    ...said(['variant']),
    { heading: 'what differs', options: said(differ) },
    { heading: 'facts of runs', options: said(FACTS) },
    { heading: 'no difference here', options: said(shared) },
  ]
}

/** Options by the names of their columns. */
export function optionColumns(options: readonly string[]): string[] {
  return options.map((name) => columnName({ kind: 'option', name } satisfies Column))
}

function rank(name: string): number {
  return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length
}

import type { StudyDesign } from '../../records/design.ts'
import type { TunedDesign, TunedVariant } from '../../records/tuned.ts'
import { plural } from '../statistics/sentences.ts'
import { edgesText } from './edges.ts'

/** More variants than this are not named one by one. */
const NAMED = 2

/** What a sentence about variants says of values that were chosen for them before; nothing where none were. */
export function tunedText(design: Partial<StudyDesign> | undefined, variants: readonly string[]): string[] {
  const { tuned, runs = [] } = design ?? {}
  if (!tuned) return []
  const own = variants.flatMap((name) => tuned.variants.find(({ variant }) => variant === name) ?? [])
  const blind = own.filter(({ means }) => means.every((mean) => mean === null)).map(({ variant }) => variant)
  const report = new Set(runs.map(({ key }) => key)).size
  return [
    `${chosenText(tuned, own)}, each the best of ${triedText(tuned)} on validation with ${seedsText(tuned.seeds)}`,
    ...edgesText(
      Object.keys(tuned.values[0] ?? {}).map((name) => ({
        name,
        levels: levels(tuned, name),
        chosen: own.map((each) => tuned.values[each.chosen]?.[name]),
      })),
    ),
    ...blind.map((variant) => `no value of ${variant} trained to its end, so it has the first`),
    `tuning took ${plural(tuned.runs, 'run')}, the report ${report}`,
  ]
}

/** What was chosen: `mixer at lr 0.003, gmlp at lr 0.01`. */
export function chosenText({ values }: TunedDesign, variants: readonly TunedVariant[]): string {
  const names = Object.keys(values[0] ?? {})
  if (variants.length > NAMED) return `each variant at its own ${names.join(' and ')}`
  return variants
    .map(({ variant, chosen }) => {
      const own = names.map((name) => `${name} ${values[chosen]?.[name]}`)
      return `${variant} at ${own.join(' and ')}`
    })
    .join(', ')
}

/** `0.001, 0.003, 0.01`, or of several names `lr 0.001, 0.003 and decay 0, 0.1`. */
function triedText(tuned: TunedDesign): string {
  const names = Object.keys(tuned.values[0] ?? {})
  return names.map((name) => `${names.length > 1 ? `${name} ` : ''}${levels(tuned, name).join(', ')}`).join(' and ')
}

function levels({ values }: TunedDesign, name: string) {
  return [...new Set(values.flatMap((each) => each[name] ?? []))]
}

/** `seeds 1001 to 1003`, or as they are. */
function seedsText(seeds: readonly number[]): string {
  const [first = 0] = seeds
  if (seeds.length < 3) return `${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(' and ')}`
  const inOrder = seeds.every((seed, place) => seed === first + place)
  return inOrder ? `seeds ${first} to ${seeds.at(-1)}` : `seeds ${seeds.join(', ')}`
}

import type { StudyDesign } from '../../records/design.ts'
import type { TunedDesign, TunedVariant } from '../../records/tuned.ts'
import { plural } from '../statistics/sentences.ts'
import { edgesText } from './edges.ts'
import { placesOf } from './kept.ts'

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
    `${chosenText(tuned, own)}, ${own.some(({ kept }) => kept) ? 'all that cannot be told from' : 'each'} the best of ${triedText(tuned)} on validation with ${seedsText(tuned.seeds)}`,
    ...edgesText(
      Object.keys(tuned.values[0] ?? {}).map((name) => ({
        name,
        levels: levels(tuned, name),
        chosen: own.flatMap(placesOf).map((place) => tuned.values[place]?.[name]),
      })),
    ),
    ...blind.map((variant) => `no value of ${variant} trained to its end, so it has the first`),
    `tuning took ${plural(tuned.runs, 'run')}, the report ${report}`,
  ]
}

/** With how many values the variants of a study are trained, and what that costs; null where none are chosen. */
export function keptText({ tuned, variants, runs }: Pick<StudyDesign, 'tuned' | 'variants' | 'runs'>): string | null {
  if (!tuned) return null
  const all = tuned.variants.length
  const seeds = new Set(runs.map(({ seed }) => seed)).size
  if (tuned.variants.some(({ means }) => means.some((mean) => mean !== null))) {
    return `${plural(all, 'variant')} keep ${plural(variants.length, 'value')} of ${all * tuned.values.length}: ${plural(variants.length * seeds, 'run')}`
  }
  const most = tuned.values.length
  return `tuning takes ${plural(tuned.runs, 'run')}; each variant keeps 1 to ${most} values, so the report takes ${all * seeds} to ${plural(all * seeds * most, 'run')}`
}

/** What was chosen: `mixer at lr 0.003, gmlp at lr 0.01 or lr 0.03`. */
export function chosenText({ values }: TunedDesign, variants: readonly TunedVariant[]): string {
  const names = Object.keys(values[0] ?? {})
  if (variants.length > NAMED) return `each variant at its own ${names.join(' and ')}`
  return variants
    .map((each) => {
      const own = placesOf(each).map((place) => names.map((name) => `${name} ${values[place]?.[name]}`).join(' and '))
      return `${each.variant} at ${own.join(' or ')}`
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

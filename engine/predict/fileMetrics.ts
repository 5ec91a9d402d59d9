import { classNames, nameKey } from '../data/classNames.ts'
import { MixlabError, quoted } from '../errors.ts'
import { classification, topK } from '../evaluate/index.ts'
import { LOSS } from '../train/meanings.ts'
import type { Likely } from './answer.ts'
import type { EvaluatedOn } from './evaluateOn.ts'

/** Which class of a model each folder of examples is of; null where it is of none. */
export interface Labelling {
  labelOf(folder: string): number | null
  notes: string[]
}

/**
 * The classes that folders are of: those of their names, or where none has such a name and there are as many, those at their
 * place when sorted. Throws MixlabError `option` where two classes have one name; `source` names the model.
 */
export function labelling(folders: readonly string[], classes: readonly string[], source: string): Labelling {
  const twice = classes.find((name, i) => classes.indexOf(name) !== i)
  const same = twice !== undefined && `two of its classes are called ${quoted(twice)}; name them apart (--labels)`
  if (same) throw new MixlabError('option', source, same)
  const names = classNames(folders).sort()
  const keys = classes.map(nameKey)
  const byPlace = names.length === classes.length && !names.some((name) => keys.includes(nameKey(name)))
  const places = new Map((byPlace ? names : classes).map((name, i) => [nameKey(name), i]))
  const what = `the folders are called otherwise than its classes; they go by their place: ${names.slice(0, 20).join(', ')}`
  return { labelOf: (folder) => places.get(nameKey(folder)) ?? null, notes: byPlace ? [what] : [] }
}

/** Collects loss, accuracy and confusion of answers that name all classes; `part` is what stands before the metrics. */
export function fileMetrics(classes: readonly string[], part: string) {
  const evaluators = [topK('accuracy', 1), ...(classes.length > 5 ? [topK('top5', 5)] : [])]
  const report = classification(classes)
  const places = new Map(classes.map((name, i) => [name, i]))
  let [loss, examples] = [0, 0]
  return {
    add(likely: readonly Likely[], label: number): void {
      const logits = new Float32Array(classes.length)
      for (const { name, probability } of likely) logits[places.get(name) as number] = Math.log(probability)
      const target = Int32Array.of(label)
      for (const each of [...evaluators, report]) each.add(logits, { target })
      loss -= logits[label] as number
      examples++
    },
    value: (): Pick<EvaluatedOn, 'examples' | 'metrics' | 'report'> => ({
      examples: { [part]: examples },
      metrics: Object.fromEntries([
        [`${part}/loss`, { value: loss / examples, meaning: LOSS }],
        ...evaluators.map(({ name, meaning, value }) => [`${part}/${name}`, { value: value(), meaning }]),
      ]),
      report: { [part]: report.value() },
    }),
  }
}

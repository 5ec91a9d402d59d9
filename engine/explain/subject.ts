import { MixlabError } from '../errors.ts'
import { softmax } from '../evaluate/softmax.ts'
import { inputFor, logitsFor, type Question, textsOf } from '../predict/ask.ts'
import type { ModelBatch } from '../predict/batched.ts'
import { windowsFor } from '../predict/passages.ts'
import { maskedBatch } from '../predict/texts.ts'
import type { TrainedModel } from '../predict/trained.ts'
import { spansOf } from '../tasks/text/spanAnswers.ts'
import { inputOf, type PassagePart, type PassageWindow } from '../tasks/text/spanWindows.ts'
import { textTensors } from '../tasks/textInput.ts'

/** What a model says of an example: a class, a span of a passage, or the words in place of [MASK]. */
export interface Outcome {
  name: string
  /** The number of a class; null for another outcome. */
  classAt: number | null
  /** How likely it is by the output for one example, flat. */
  probability(logits: Float32Array): number
}

/** What is explained. */
export interface Subject {
  /** One example; the caller disposes it. */
  batch: ModelBatch
  /** The texts that it is made of, each of which ends at a special token; none of other inputs. */
  texts: readonly string[]
  /** What the model says by its output, flat, or how likely it holds the class `asked`. */
  outcomeOf(logits: Float32Array, asked: number | null): Outcome
}

/** The tasks whose answers have one probability. */
export const EXPLAINED: readonly string[] = ['image', 'points', 'sequence', 'pair', 'span', 'mlm']

/**
 * What a model reads of a question, and what of its output is explained. Throws MixlabError `option` for a model of another
 * task, `data` for a passage without words, and what `ask` throws.
 */
export async function subjectOf(model: TrainedModel, question: Question): Promise<Subject> {
  const { task } = model.task
  if (!EXPLAINED.includes(task)) {
    const what = `is of task ${task}; what is explained is one class, a span, or masked words (${EXPLAINED.join(', ')})`
    throw new MixlabError('option', model.source, what)
  }
  if (task === 'span') return spanSubject(model, textsOf(question, model))
  if (task === 'mlm') return maskedSubject(model, textsOf(question, model))
  return {
    batch: inputFor(question, model),
    texts: 'texts' in question ? question.texts : [],
    outcomeOf(logits, asked) {
      const classAt = asked ?? largest(logits)
      const name = model.classes?.[classAt] || `class ${classAt}`
      return { name, classAt, probability: (row) => softmax(row)(classAt) }
    },
  }
}

/** The likeliest word of each [MASK], and of several the geometric mean of how likely they are: their product is next to none. */
function maskedSubject(model: TrainedModel, [text = '']: readonly string[]): Subject {
  const { batch, texts, places, tokenizer } = maskedBatch(text, model)
  const rowsOf = (logits: Float32Array) =>
    places.map((_, i) => logits.subarray(i * tokenizer.size, (i + 1) * tokenizer.size))
  return {
    batch,
    texts,
    outcomeOf(logits) {
      const words = rowsOf(logits).map(largest)
      return {
        name: words.map(tokenizer.textOf).join(', '),
        classAt: null,
        probability: (row) => {
          const each = rowsOf(row).map((one, i) => softmax(one)(words[i] as number))
          return each.reduce((product, one) => product * one, 1) ** (1 / each.length)
        },
      }
    },
  }
}

/** The likeliest span, in the window that has it, and how likely it is among all spans; those of other windows stay. */
async function spanSubject(model: TrainedModel, texts: readonly string[]): Promise<Subject> {
  const { windows, tokens, answer } = await windowsFor(texts, model)
  const logits = await logitsFor(model, textTensors(windows.map(inputOf), tokens))
  const scored = windows.map((window, i) => [
    ...spansOf(window, logits.subarray(i * tokens * 2, (i + 1) * tokens * 2), answer),
  ])
  const best = scored.map((spans) => Math.max(...spans.map(({ score }) => score)))
  const at = largest(best)
  if (!Number.isFinite(best[at])) throw new MixlabError('data', 'passage', 'has no words that could be an answer')
  const others = scored.flatMap((spans, i) => (i === at ? [] : spans.map(({ score }) => score)))
  const window = windows[at] as PassageWindow
  const { from } = window.parts[window.part] as PassagePart
  const spansIn = (row: Float32Array) => [...spansOf(window, row, answer)]
  const scoresIn = (row: Float32Array) => spansIn(row).map(({ score }) => score)
  return {
    batch: textTensors([inputOf(window)], tokens),
    texts: [texts[0] ?? '', window.passage.text.slice(window.passage.starts[from])],
    outcomeOf(row) {
      const chosen = largest(scoresIn(row))
      const { start, end } = spansIn(row)[chosen] ?? { start: 0, end: 0 }
      return {
        name: window.passage.text.slice(start, end),
        classAt: null,
        probability: (changed) => softmax(Float32Array.from([...scoresIn(changed), ...others]))(chosen),
      }
    },
  }
}

/** Where the largest value is. */
const largest = (values: ArrayLike<number>) =>
  Array.from(values).reduce((best, value, i, all) => (value > (all[best] as number) ? i : best), 0)

import type { Tokenizer } from '../data/tokenizers/types.ts'
import { taskKind } from '../tasks/index.ts'
import { spansOf } from '../tasks/text/spanAnswers.ts'
import { inputOf, type PassageWindow, type WindowOptions, windowsOf } from '../tasks/text/spanWindows.ts'
import type { TextInput } from '../tasks/textInput.ts'
import type { Preparation } from '../tasks/types.ts'
import { type Likely, likeliest } from './answer.ts'
import type { TrainedModel } from './trained.ts'

/** A question and a passage as a model reads them, each window with so many tokens; answers have at most so many. */
export interface AskedPassage {
  windows: PassageWindow[]
  tokens: number
  answer: number
}

/** The windows in which a model of spans reads a question and a passage. */
export async function windowsFor(
  [question = '', passage = '']: readonly string[],
  { preparation, task, tokenizer }: TrainedModel,
): Promise<AskedPassage> {
  const { tokens } = preparation as Extract<Preparation, { kind: 'text' }>
  const { answer, ...how } = taskKind('span').resolve(task.options) as unknown as WindowOptions & { answer: number }
  const asked = { questions: [question], passages: [passage], answers: [[]] }
  const split = { size: 1, read: async () => asked }
  return { windows: await windowsOf(split, tokenizer as Tokenizer, { ...how, tokens }), tokens, answer }
}

/**
 * The likeliest answers to a question in a passage, over all windows of it; the probability is that among all spans. That there is no answer is not among them. `read` gives logits `[windows, tokens, 2]`, flat.
 */
export async function likeliestSpans(
  { windows, tokens, answer }: AskedPassage,
  passage: string,
  read: (windows: TextInput[]) => Promise<Float32Array>,
  top: number,
): Promise<Likely[]> {
  const logits = await read(windows.map(inputOf))
  const spans = windows.flatMap((window, i) => [
    ...spansOf(window, logits.subarray(i * tokens * 2, (i + 1) * tokens * 2), answer),
  ])
  const scores = Float32Array.from(spans, ({ score }) => score)
  return likeliest(scores, top, (i) => passage.slice(spans[i]?.start, spans[i]?.end))
}

import type { Tokenizer } from '../data/tokenizers/types.ts'
import { spansOf } from '../tasks/text/spanAnswers.ts'
import { inputOf, type WindowOptions, windowsOf } from '../tasks/text/spanWindows.ts'
import type { TextInput } from '../tasks/textInput.ts'
import { type Likely, likeliest } from './answer.ts'

/**
 * The likeliest answers to a question in a passage, over all windows of it; the probability is that among all spans. That there is no answer is not among them. `read` gives logits `[windows, tokens, 2]`, flat.
 */
export async function likeliestSpans(
  [question, passage]: [string, string],
  options: Record<string, unknown>,
  tokenizer: Tokenizer,
  read: (windows: TextInput[]) => Promise<Float32Array>,
  top: number,
): Promise<Likely[]> {
  const { tokens, answer, ...how } = options as unknown as WindowOptions & { answer: number }
  const asked = { questions: [question], passages: [passage], answers: [[]] }
  const windows = await windowsOf({ size: 1, read: async () => asked }, tokenizer, { ...how, tokens })
  const logits = await read(windows.map(inputOf))
  const spans = windows.flatMap((window, i) => [
    ...spansOf(window, logits.subarray(i * tokens * 2, (i + 1) * tokens * 2), answer),
  ])
  const scores = Float32Array.from(spans, ({ score }) => score)
  return likeliest(scores, top, (i) => passage.slice(spans[i]?.start, spans[i]?.end))
}

import { z } from 'zod'
import { base64, bytesOfBase64 } from '../data/base64.ts'
import type { Task } from '../tasks/types.ts'
import type { Question } from './ask.ts'
import type { DrawingStyle } from './drawing.ts'
import { drawingStyleIn } from './drawingStyle.ts'
import { type ValidationExample, validationExample } from './validationExample.ts'

/** Validation examples that a demo has with it. */
const EXAMPLES = 8

const picture = z.object({ width: z.int(), height: z.int(), channels: z.literal([1, 3]), pixels: z.base64() })
const file = z.object({ file: z.base64(), name: z.string() })
const question = z.union([z.object({ picture }), file, z.object({ texts: z.array(z.string()) })])
const mask = z.object({ width: z.int(), height: z.int(), pixels: z.base64(), classes: z.array(z.string()) })
const truth = z.union([
  z.object({ name: z.string() }),
  z.object({ mask }),
  z.object({ after: z.array(z.array(z.number())) }),
])
const schema = z.object({
  drawing: z
    .object({
      ...{ ground: z.number(), ink: z.number(), length: z.number(), thickness: z.number() },
      centred: z.enum(['box', 'mass']),
    })
    .nullable(),
  examples: z.array(z.object({ question, truth: truth.nullable() })),
})

/** What a demo knows of the data of its model: how its pictures are drawn, and some validation examples. */
export interface Beside {
  drawing: DrawingStyle | null
  examples: ValidationExample[]
}

/** What a demo of a model of this task has beside it, as JSON. */
export async function besideOf(task: Task): Promise<string> {
  const examples: ValidationExample[] = []
  for (let i = 0; i < EXAMPLES; i++) {
    const found = await validationExample(task, i).catch(() => null) // fewer than that, or none that is asked about
    if (!found) break
    examples.push(found)
  }
  const beside: z.input<typeof schema> = {
    drawing: task.preparation?.kind === 'image' ? await drawingStyleIn(task) : null,
    examples: examples.map(({ question, truth }) => ({
      question: writtenQuestion(question),
      truth: truth && 'mask' in truth ? { mask: written(truth.mask) } : truth,
    })),
  }
  return JSON.stringify(beside)
}

/** Reads that again. Throws what Zod throws for anything else. */
export function readBeside(json: string): Beside {
  const { drawing, examples } = schema.parse(JSON.parse(json))
  return {
    drawing,
    examples: examples.map(({ question, truth }) => ({
      question: readQuestion(question),
      truth: truth && 'mask' in truth ? { mask: read(truth.mask) } : truth,
    })),
  }
}

const written = <Held extends { pixels: Uint8Array }>(held: Held) => ({ ...held, pixels: base64(held.pixels) })
const read = <Held extends { pixels: string }>(held: Held) => ({ ...held, pixels: bytesOfBase64(held.pixels) })

function writtenQuestion(question: Question): z.input<typeof schema>['examples'][number]['question'] {
  if ('picture' in question) return { picture: written(question.picture) }
  return 'file' in question ? { file: base64(question.file), name: question.name } : question
}

function readQuestion(question: z.output<typeof schema>['examples'][number]['question']): Question {
  if ('picture' in question) return { picture: read(question.picture) }
  return 'file' in question ? { file: bytesOfBase64(question.file), name: question.name } : question
}

import { z } from 'zod'
import { base64, bytesOfBase64 } from '../data/base64.ts'
import type { Task } from '../tasks/types.ts'
import type { DrawingStyle } from './drawing.ts'
import { drawingStyleIn } from './drawingStyle.ts'
import { type ValidationExample, validationExample } from './validationExample.ts'

/** Validation examples that a demo has with it. */
const EXAMPLES = 8

const picture = z.object({ width: z.int(), height: z.int(), channels: z.literal([1, 3]), pixels: z.base64() })
const question = z.union([z.object({ picture }), z.object({ texts: z.array(z.string()) })])
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
  const kind = task.preparation?.kind
  const examples: ValidationExample[] = []
  if (kind === 'image' || kind === 'series') {
    for (let i = 0; i < EXAMPLES; i++) {
      const found = await validationExample(task, i).catch(() => null) // fewer than that
      if (found) examples.push(found)
    }
  }
  const beside: z.input<typeof schema> = {
    drawing: kind === 'image' ? await drawingStyleIn(task) : null,
    examples: examples.map(({ question, truth }) => ({
      question: 'picture' in question ? { picture: written(question.picture) } : { texts: textsIn(question) },
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
      question: 'picture' in question ? { picture: read(question.picture) } : question,
      truth: truth && 'mask' in truth ? { mask: read(truth.mask) } : truth,
    })),
  }
}

const written = <Held extends { pixels: Uint8Array }>(held: Held) => ({ ...held, pixels: base64(held.pixels) })
const read = <Held extends { pixels: string }>(held: Held) => ({ ...held, pixels: bytesOfBase64(held.pixels) })
const textsIn = (question: ValidationExample['question']) => ('texts' in question ? question.texts : [])

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseOptions } from '../../engine/options.ts'

const schema = z.strictObject({
  steps: z.int().min(1).default(10),
  rate: z.number().positive().optional(),
  schedule: z.enum(['cosine', 'constant']).default('cosine'),
  nested: z.strictObject({ depth: z.int().default(2) }).optional(),
})

const parse = (value: unknown) => () => parseOptions(schema, value, 'train')

describe('parseOptions', () => {
  it('fills in defaults', () => {
    expect(parse({})()).toEqual({ steps: 10, schedule: 'cosine' })
  })
  it.each([
    [{ stesp: 3 }, "train: unknown option 'stesp' (did you mean 'steps'?)"],
    [{ nested: { dept: 3 } }, "train.nested: unknown option 'dept' (did you mean 'depth'?)"],
    [{ steps: 0 }, 'train.steps: 0, expected at least 1'],
    [{ steps: 1.5 }, 'train.steps: 1.5, expected a whole number'],
    [{ steps: '9' }, "train.steps: '9', expected a number"],
    [{ rate: 0 }, 'train.rate: 0, expected more than 0'],
    [{ schedule: 'cosin' }, "train.schedule: unknown value 'cosin' (did you mean 'cosine'?)"],
    [{ schedule: 4 }, 'train.schedule: 4, expected one of cosine, constant'],
    [undefined, 'train: missing, expected an object'],
    [{ rate: Number.NaN }, 'train.rate: NaN, expected a number'],
  ])('refuses %j', (value, message) => {
    expect(parse(value)).toThrow(message)
  })
})

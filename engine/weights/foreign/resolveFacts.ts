import { type Fail, MixlabError } from '../../errors.ts'
import { type Facts, OPTIONS, type Sizes } from './facts.ts'

const textOf = (value: unknown) => (Array.isArray(value) ? value.join(' x ') : String(value))

/** Throws where a configuration is of another model than the tensors, whose sizes are `own`. */
export function checkSizes(own: Sizes, said: Sizes, fail: Fail): void {
  const names: Record<string, string> = { dim: 'width', ffn: 'hidden width', patch: 'patches of' }
  for (const name of Object.keys(own) as (keyof Sizes)[]) {
    const [tensors, config] = [textOf(own[name]), said[name] === undefined ? null : textOf(said[name])]
    if (config === null || config === tensors) continue
    const what = `its configuration has ${names[name] ?? name} ${config}, its tensors ${tensors}`
    throw fail(`${what}: it is of another model; --config names the right one, or none`)
  }
}

/** What nothing says and cannot be guessed; `dim` is the width that heads divide, null where there are none. */
export function missing({ heads, mean, deviation }: Facts, dim: number | null): string[] {
  const divisors = Array.from({ length: dim ?? 0 }, (_, i) => i + 1).filter((count) => (dim ?? 0) % count === 0)
  return [
    ...(dim !== null && heads === undefined
      ? [`how many heads its attention has (--heads: ${divisors.join(', ')})`]
      : []),
    ...(mean === undefined || deviation === undefined
      ? ["how its pictures are normalised (--mean and --std: 0.5 and 0.5, or 'imagenet', or else)"]
      : []),
  ]
}

/**
 * Height and width of a picture that has one of these numbers of patches; where no size is given, the first of the
 * numbers that makes a square. Throws where a size has another number of patches, as with patches that overlap.
 */
export function sizeOf(
  patches: readonly number[],
  patch: readonly [number, number],
  said: readonly [number, number] | undefined,
  fail: Fail,
): [number, number] {
  const [high, wide] = patch
  if (said === undefined) {
    const side = patches.map(Math.sqrt).find((root) => root > 0 && Number.isInteger(root))
    if (side !== undefined) return [side * high, side * wide]
    throw fail(
      `nothing says the size of its pictures, whose ${patches[0]} patches are no square (--size: HEIGHTxWIDTH)`,
    )
  }
  const [height, width] = said
  if (height % high === 0 && width % wide === 0 && patches.includes((height / high) * (width / wide)))
    return [height, width]
  throw fail(`pictures of ${height} x ${width} in patches of ${high} x ${wide} are not its ${patches[0]} patches`)
}

/** Mean and deviation of each channel, red first. Throws MixlabError `option`. */
export function channelwise(
  { mean = [], deviation = [], bgr = false }: Facts,
  channels: number,
): { mean: number[]; deviation: number[] } {
  const each = (values: readonly number[], name: 'mean' | 'deviation') => {
    const isDeviation = name === 'deviation'
    const right = values.length === 1 || values.length === channels
    if (!right || values.some((value) => isDeviation && !(value > 0))) {
      const count = channels === 1 ? 'a number' : `1 or ${channels} numbers`
      const expected = `expected ${count}${isDeviation ? ' above 0' : ''}${channels === 1 ? '' : ', apart by commas'}`
      throw new MixlabError('option', OPTIONS[name], `'${values}', ${expected}`)
    }
    const all = Array.from({ length: channels }, (_, i) => values[i] ?? (values[0] as number))
    return bgr ? all.reverse() : all
  }
  return { mean: each(mean, 'mean'), deviation: each(deviation, 'deviation') }
}

/** What was taken as it is usual, in words. */
export function assumptions(names: readonly (keyof Facts)[], facts: Facts): string[] {
  if (names.length === 0) return []
  const words = names.map((name) => `${OPTIONS[name]} ${facts[name]}`)
  return [`nothing says otherwise, so as usual: ${words.join(', ')}`]
}

/** Names of the classes; those of a configuration with another number of them are not taken. */
export function labelsOf(
  given: readonly string[] | undefined,
  configured: readonly string[] | undefined,
  classes: number,
  fail: Fail,
): { names: readonly string[] | null; notes: string[] } {
  if (given && given.length !== classes) throw fail(`--labels has ${given.length} names, there are ${classes} classes`)
  const names = given ?? configured
  if (!names || names.length === classes) return { names: names ?? null, notes: [] }
  const notes = [`its configuration names ${names.length} classes, there are ${classes}; they are numbered`]
  return { names: null, notes }
}

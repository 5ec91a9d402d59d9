import { z } from 'zod'
import { MixlabError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import { type BlockWith, define, isBlock } from './block.ts'
import { type ModelOptions, stageOptions } from './size.ts'
import type { Block, Merge, Part, Parts } from './types.ts'

/** A stage of a pyramid: blocks, with sizes of their own, behind what merges the patches. */
export interface Stage extends Omit<ModelOptions, 'patch' | 'stem' | 'head'> {
  block: Block
  /** 2 by default, and nothing for the first stage; 1 leaves the tokens as they are. */
  merge?: Merge
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) > 0
const mergeSchema = z.custom<Merge>(
  (given) => isCount(given) || typeof given === 'function' || (Array.isArray(given) && given.every(isCount)),
  'a whole number, [rows, columns], or a function (x, size) => x',
)
const blockSchema = z.custom<Block>(isBlock, 'a block, e.g. gmlp')
const stageSchema = z.strictObject({ ...stageOptions.shape, block: blockSchema, merge: mergeSchema.optional() })

/**
 * Defines a model of several sorts of blocks, one after the other: `stack('hybrid', [gmlp({ depth: 3 }), vit])` is three of
 * the one and one of the other. Where `depth` is a multiple of their number, the list is repeated. Each keeps its own
 * options; stem and head are those of the first. All have one width.
 */
export function stack(name: string, blocks: readonly Block[]): BlockWith<object> {
  const path = checkName('stack', name)
  const list = parseOptions(z.array(blockSchema).min(1), blocks, path)
  for (const { blockName, options } of list) {
    const own = ['dim', 'patch'].find((option) => option in options)
    const how = `'${blockName}' has its own ${own}, expected one for all; stages([…]) change the width`
    if (own) throw new MixlabError('option', path, how)
  }
  const parts = list.map((block): Part => ({ block: withDepth(block, 1), merge: null }))
  return made(name, path, { list: parts, repeats: true })
}

/**
 * Defines a pyramid: a model of several stages, each of which may have another width and, behind merged patches, fewer
 * tokens: `stages('pyramid', [{ block: pool, depth: 2, dim: 32 }, { block: pool, depth: 2, dim: 64, merge: 2 }])`. What a
 * stage does not say is as in the model around it. The stem has the size of the first stage, the head the width of the last.
 */
export function stages(name: string, stages: readonly Stage[]): BlockWith<object> {
  const path = checkName('stages', name)
  if (!Array.isArray(stages) || stages.length === 0) {
    throw new MixlabError('option', path, 'expected a list of stages, e.g. [{ block, depth: 2, dim: 32 }]')
  }
  const parts = stages.map((given: Stage, i): Part => {
    const { block, merge, ...options } = given
    parseOptions(stageSchema, given, `${path}.${i}`)
    const staged = withDepth(copied(block, options))
    if (!('depth' in staged.options)) throw new MixlabError('option', `${path}.${i}`, 'has no depth')
    if (i > 0) return { block: staged, merge: merge ?? 2 }
    if (merge === undefined) return { block: staged, merge: null }
    throw new MixlabError('option', `${path}.0.merge`, 'nothing is before the first stage but the stem')
  })
  return made(name, path, { list: parts, repeats: false })
}

function checkName(what: string, name: unknown): string {
  if (typeof name === 'string' && name) return `${what} '${name}'`
  throw new MixlabError('option', what, 'expected a name as first argument')
}

/** A block that says how many of it there are: as its options do, else as many as a stack has, else `otherwise`. */
function withDepth(block: Block, otherwise?: number): Block {
  const { depth = block.parts ? block.defaults.depth : otherwise } = block.options
  return depth === undefined ? block : copied(block, { depth })
}

/** A copy of a block with options, as a call of it makes one. */
function copied(block: Block, options: object): Block {
  return (block as BlockWith<object>)(options)
}

function made(name: string, path: string, parts: Parts): BlockWith<object> {
  const fail = (what: string) => new MixlabError('option', path, what)
  const blocks = parts.list.map(({ block }) => block)
  for (const [i, { blockName, options, ends, parts, stages }] of blocks.entries()) {
    if (parts?.repeats === false || stages)
      throw fail(`'${blockName}' is made of stages, which cannot be in another model`)
    if (!isCount(options.depth)) throw fail(`'${blockName}' has depth ${options.depth}, expected at least 1`)
    const own = i > 0 && (ends.stem ? 'stem' : ends.head ? 'head' : null)
    if (own) throw fail(`'${blockName}' has its own ${own}; give it to the whole, ${name}({ ${own} })`)
  }
  const [{ frames, ends }] = blocks as [Block]
  const run = (): never => {
    throw fail('is a whole model, and cannot be used inside of a block')
  }
  const depth = blocks.reduce((sum, { options }) => sum + Number(options.depth), 0)
  const numerics = blocks.reduce((sum, { numerics }) => sum + numerics - 1, 1)
  return define({
    blockName: name,
    defaults: { depth },
    run,
    frames,
    ends,
    parts,
    stages: null,
    numerics,
    changedAt: null,
  })
}

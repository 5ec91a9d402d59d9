import type * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { noteDefinition } from '../../definitions.ts'
import { MixlabError } from '../../errors.ts'
import type { Parameter } from '../../nn/scope.ts'
import { parseOptions } from '../../options.ts'
import { hasSegments } from '../noDecay.ts'
import type { Optimizer, OptimizerKind, OptimizerSpec } from './types.ts'

/** One of the parameter groups of a model, with an optimizer of its own; each parameter is in the first group that takes it. */
export interface Group {
  /** A pattern of names, or names as in `noDecay`: whole segments, e.g. `'head'`; all if left out. */
  match?: RegExp | string | readonly string[]
  /** Axes of a parameter, e.g. 2 for matrices; any if left out. */
  dims?: number
  optimizer: OptimizerSpec
  /** What the values are multiplied by that training starts from, where these are drawn. */
  initialScale?: number
}

const SPEC = z.strictObject({ optimizer: z.string(), options: z.record(z.string(), z.unknown()) })
const schema = z.strictObject({
  /** That of the first group; the others keep their ratio to it. */
  learningRate: z.number().optional(),
  groups: z
    .array(
      z.strictObject({
        match: z.union([z.string(), z.array(z.string()).readonly()], { error: 'a pattern, or names' }).optional(),
        dims: z.int().min(0).optional(),
        optimizer: SPEC,
        initialScale: z.number().positive().optional(),
      }),
    )
    .min(1),
})

type Options = z.output<typeof schema>
type PlainGroup = Options['groups'][number]
type Find = (spec: OptimizerSpec) => OptimizerKind

const PATH = 'train.optimizer'

/** Makes the function `groups` of a recipe, where `find` finds optimizers by name. */
export function groupsWith(find: Find): (list: readonly Group[]) => OptimizerSpec {
  return (list) => {
    if (!Array.isArray(list))
      throw new MixlabError('option', 'groups', 'expected a list, e.g. [{ optimizer: adamw() }]')
    const plain = list.map(({ match, optimizer, ...group }: Group) => ({
      ...group,
      ...(match !== undefined && { match: match instanceof RegExp ? String(match) : match }),
      optimizer: optimizer && { optimizer: optimizer.optimizer, options: optimizer.options },
    }))
    const spec: OptimizerSpec = { optimizer: 'groups', options: { groups: plain } }
    const own = list.map(({ optimizer }: Group) => optimizer?.defined)
    if (!own.some((each) => each)) return spec
    const decides = list.map(({ optimizer }: Group, i) => own[i]?.decides ?? optimizer.optimizer)
    spec.defined = { ...groupsKind(find, own, decides), origin: spec }
    noteDefinition(spec)
    return spec
  }
}

/**
 * Parameter groups, each with an optimizer: in `own` those that cells define, by their places; the others `find` finds by
 * name. What is said of all parameters, as the global norm, is said of those of the group.
 */
export function groupsKind(find: Find, own: (OptimizerKind | undefined)[] = [], decides: object = {}): OptimizerKind {
  const kindOf = (i: number, { optimizer }: PlainGroup) => own[i] ?? find(optimizer)
  const within = (
    options: Options,
    change: (kind: OptimizerKind, options: PlainGroup['optimizer']['options']) => object,
  ) =>
    options.groups.map((group, i) => {
      const { optimizer, options } = group.optimizer
      return { ...group, optimizer: { optimizer, options: change(kindOf(i, group), options) } }
    })
  return {
    kind: 'optimizer',
    name: 'groups',
    decides,
    evaluates: (options) =>
      (options as Options).groups.some((group, i) => kindOf(i, group).evaluates(group.optimizer.options)),
    resolve: (given) => {
      const groups = within(parseOptions(schema, given, PATH), (kind, options) => kind.resolve(options)) as PlainGroup[]
      return { learningRate: groups[0]?.optimizer.options.learningRate as number, groups }
    },
    keyed: (options) => ({ ...options, groups: within(options as Options, (kind, each) => kind.keyed(each)) }),
    initialScales: (options, parameters) => {
      const scales = new Map<string, number>()
      for (const { group, parameters: part } of partsOf(options as Options, parameters)) {
        for (const { name } of part) scales.set(name, group.initialScale ?? 1)
      }
      return parameters.map(({ name }) => scales.get(name) as number)
    },
    create: (options, parameters, rates) => {
      const { learningRate = 1 } = options as Options
      const made: Part[] = []
      try {
        for (const { group, at, parameters: part } of partsOf(options as Options, parameters)) {
          const { options } = group.optimizer
          const own = rates && part.map((each) => rates[parameters.indexOf(each)] as number)
          const optimizer = kindOf(at, group).create(options, part, own)
          const rate = (options.learningRate as number) / learningRate
          made.push({ optimizer, rate, names: part.map(({ name }) => name) })
        }
        return together(made)
      } catch (error) {
        for (const { optimizer } of made) optimizer.dispose()
        throw error
      }
    },
  }
}

interface Part {
  optimizer: Optimizer
  /** Of the learning rate of all. */
  rate: number
  names: string[]
}

/** Throws MixlabError `option` for a parameter without a group, or a group without parameters. */
function partsOf({ groups }: Options, parameters: Parameter[]) {
  const places = parameters.map((parameter) => {
    const at = groups.findIndex((group) => takes(group, parameter))
    if (at >= 0) return at
    const what = `no group takes '${parameter.name}' [${parameter.shape}]; let the last one have no match`
    throw new MixlabError('option', `${PATH}.groups`, what)
  })
  return groups.map((group, at) => {
    const own = parameters.filter((_, i) => places[i] === at)
    if (own.length > 0) return { group, at, parameters: own }
    throw new MixlabError('option', `${PATH}.groups.${at}`, 'takes no parameter that is not in a group before it')
  })
}

function takes({ match, dims }: PlainGroup, { name, shape }: Parameter): boolean {
  if (dims !== undefined && shape.length !== dims) return false
  if (match === undefined) return true
  return [match].flat().some((each) => {
    const [, source, flags = ''] = /^\/(.*)\/(\w*)$/s.exec(each) ?? []
    return source === undefined ? hasSegments(name, each) : new RegExp(source, flags.replace(/[gy]/g, '')).test(name)
  })
}

/** Optimizers of different parameters as one. */
function together(parts: Part[]): Optimizer {
  const states = parts.map(({ optimizer }) => optimizer.state())
  const of = (names: string[], all: tf.NamedTensorMap) =>
    Object.fromEntries(names.map((name) => [name, all[name] as tf.Tensor]))
  const some = (key: 'secondGradient' | 'evaluationWeights') => parts.some(({ optimizer }) => optimizer[key])
  const merged = (from: (part: Part) => tf.NamedTensorMap | undefined) => Object.assign({}, ...parts.map(from))
  return {
    prepare: async (program) => {
      for (const { optimizer } of parts) await optimizer.prepare?.(program)
    },
    update: (gradients, learningRate) => {
      for (const { optimizer, rate, names } of parts) optimizer.update(of(names, gradients), learningRate * rate)
    },
    secondGradient: some('secondGradient')
      ? (gradients, learningRate) =>
          merged(({ optimizer, rate, names }) => optimizer.secondGradient?.(of(names, gradients), learningRate * rate))
      : undefined,
    evaluationWeights: some('evaluationWeights')
      ? () => merged(({ optimizer }) => optimizer.evaluationWeights?.())
      : undefined,
    state: () => ({
      get step() {
        return states[0]?.step ?? 0
      },
      set step(step) {
        for (const state of states) state.step = step
      },
      tensors: merged(({ optimizer }) => optimizer.state().tensors) as Record<string, tf.Variable>,
    }),
    fallback: () => parts.map(({ optimizer }) => optimizer.fallback?.() ?? null).find((each) => each) ?? null,
    dispose: () => {
      for (const { optimizer } of parts) optimizer.dispose()
    },
  }
}

import { z } from 'zod'
import { noteDefinition } from '../../definitions.ts'
import { MixlabError } from '../../errors.ts'
import { copyOf, parseOptions } from '../../options.ts'
import { firstOf, keyed } from '../../records/keyed.ts'
import type { UpdateKernel } from '../fusedUpdate.ts'
import { perParameter } from './perParameter.ts'
import { type AnyRule, type OptimizerRule, ruleError, TAKEN } from './rule.ts'
import type { OptimizerKind, OptimizerSpec } from './types.ts'

/** Options by name with their defaults; each may be left out. */
type Defaults = Record<string, unknown>

/** An optimizer for `optimizer:` of a recipe, called with options that differ from their defaults. */
export interface OptimizerFunction<Options extends Defaults = Defaults> {
  (options?: Partial<Options>): OptimizerSpec
  readonly defined: DefinedOptimizer
}

/** An optimizer with what others are made of that go on from it. */
export interface DefinedOptimizer extends OptimizerKind {
  origin?: object | undefined
  readonly schema: z.ZodObject
  readonly rule: AnyRule
  readonly kernel?: UpdateKernel | undefined
}

/** An optimizer that goes on from another one: what it leaves out is as there. */
type Over<Base extends Defaults, Options, State extends string, Scalar extends string> = {
  over: OptimizerFunction<Base>
} & Partial<OptimizerRule<Options & Base, State, Scalar>>

const PARTS = ['state', 'scalars', 'update', 'evaluationWeights', 'secondGradient'] as const

/**
 * Defines an optimizer, written for one parameter: `defaults` are its options with their values, `learningRate` among them;
 * `update` gives the new weight and state from the gradient, by operations of tensors alone. That of all parameters is
 * recorded once and run as one program, where the backend has such. Throws MixlabError `option`.
 */
export function optimizer<Options extends Defaults, State extends string = never, Scalar extends string = never>(
  name: string,
  defaults: Options,
  rule: OptimizerRule<NoInfer<Options>, State, Scalar>,
): OptimizerFunction<Options>
/**
 * Defines an optimizer that goes on from another one, `over`, whose options, state and update it has where it says no other.
 * Throws MixlabError `option`.
 */
export function optimizer<
  Options extends Defaults,
  Base extends Defaults,
  State extends string = never,
  Scalar extends string = never,
>(name: string, defaults: Options, rule: Over<Base, NoInfer<Options>, State, Scalar>): OptimizerFunction<Options & Base>
/** The same with a schema of the options, which has their ranges; for built-in ones. */
export function optimizer<Schema extends z.ZodObject, State extends string = never, Scalar extends string = never>(
  name: string,
  schema: Schema,
  rule: OptimizerRule<z.output<Schema>, State, Scalar>,
): OptimizerFunction<z.output<Schema>>
export function optimizer(name: string, defaults: Defaults | z.ZodObject, rule: unknown): OptimizerFunction {
  if (typeof name !== 'string' || !/^[a-z][\w-]*$/i.test(name)) {
    throw new MixlabError('option', 'optimizer', "expected a name as first argument, e.g. 'lion'")
  }
  if (typeof rule !== 'object' || rule === null) throw ruleError(name, 'expected { state, update } as third argument')
  const { over, ...own } = rule as { over?: OptimizerFunction } & Partial<AnyRule>
  checkRule(name, own, over)
  const schema = schemaOf(name, defaults, over)
  const base = over?.defined
  const defined = definedBy(name, schema, { ...base?.rule, ...own } as AnyRule, {
    kernel: own.update || own.state || own.scalars ? undefined : base?.kernel,
    decides: { ...own, ...(base && { over: base.decides }) },
    keyed: (options) => options, // its defaults are the cell's to change
  })
  const result = made(defined, (options) => ({ optimizer: name, options, defined }))
  noteDefinition(result)
  return result
}

/** An optimizer of the table: its specs are plain data, and its name says what it does; `kernel` does the same as its rule. */
export function builtIn<Options extends Defaults>(
  { defined }: OptimizerFunction<Options>,
  kernel = defined.kernel,
): OptimizerFunction<Options> {
  const { name, schema, rule } = defined
  const resolve = (options: Defaults) => parseOptions<Defaults>(schema, options, 'train.optimizer')
  const keyedOptions = (options: Defaults) => keyed(options, firstOf(name), resolve)
  const own = definedBy(name, schema, rule, { kernel, decides: { builtIn: name }, keyed: keyedOptions })
  return made(own, (options) => ({ optimizer: name, options }))
}

function made<Options extends Defaults>(
  defined: DefinedOptimizer,
  spec: (options: Defaults) => OptimizerSpec,
): OptimizerFunction<Options> {
  const own = Object.assign((options: Partial<Options> = {}) => spec(copyOf(options)), { defined })
  defined.origin = own
  return own
}

function definedBy(
  name: string,
  schema: z.ZodObject,
  rule: AnyRule,
  { kernel, decides, keyed }: Pick<DefinedOptimizer, 'kernel' | 'decides' | 'keyed'>,
): DefinedOptimizer {
  const own: DefinedOptimizer = {
    kind: 'optimizer',
    name,
    decides,
    schema,
    rule,
    kernel,
    keyed,
    evaluates: () => rule.evaluationWeights !== undefined,
    resolve: (options) => parseOptions(schema, options, 'train.optimizer') as Defaults & { learningRate: number },
    create: (options, parameters, rates) => {
      return perParameter({ name, rule, kernel, definition: own.origin ?? own }, options, parameters, rates)
    },
  }
  return own
}

function checkRule(name: string, rule: Partial<AnyRule>, over: OptimizerFunction | undefined): void {
  const other = Object.keys(rule).find((part) => !PARTS.some((known) => known === part))
  if (other) throw ruleError(name, `unknown '${other}', expected ${[...PARTS, 'over'].join(', ')}`)
  if (over !== undefined && !isOptimizer(over?.defined)) throw ruleError(name, 'over: expected an optimizer, e.g. sgd')
  if (!over && !rule.update) throw ruleError(name, 'expected a function update({ weight, gradient, … })')
  for (const part of PARTS.filter((each) => each !== 'state')) {
    if (rule[part] !== undefined && typeof rule[part] !== 'function')
      throw ruleError(name, `${part}: expected a function`)
  }
  const { state = [] } = rule
  if (typeof state === 'function') return
  const isList = Array.isArray(state) && state.every((slot) => typeof slot === 'string' && /^[a-z]\w*$/i.test(slot))
  if (!isList) throw ruleError(name, 'state: expected names or a function (weight) => ({ … })')
  const taken = state.find((slot) => TAKEN.includes(slot))
  if (taken) throw ruleError(name, `state cannot be called '${taken}': update has that already`)
}

/** What options may be: of the type of their default. */
function schemaOf(name: string, defaults: Defaults | z.ZodObject, over: OptimizerFunction | undefined): z.ZodObject {
  if (typeof defaults !== 'object' || defaults === null) throw ruleError(name, 'expected defaults as second argument')
  const own = defaults instanceof z.ZodObject ? defaults : z.strictObject(shapeOf(name, defaults))
  const schema = over ? over.defined.schema.safeExtend(own.shape) : own
  if (!('learningRate' in schema.shape)) throw ruleError(name, 'expected a learningRate among its defaults')
  return schema
}

const RANGES: Record<string, z.ZodNumber> = { learningRate: z.number().positive(), weightDecay: z.number().min(0) }

function shapeOf(name: string, defaults: Defaults): Record<string, z.ZodType> {
  const entries = Object.entries(defaults).map(([option, value]): [string, z.ZodType] => {
    if (typeof value === 'boolean') return [option, z.boolean().default(value)]
    if (typeof value === 'string') return [option, z.string().default(value)]
    if (typeof value === 'number' && Number.isFinite(value)) {
      return [option, (RANGES[option] ?? z.number()).default(value)]
    }
    throw ruleError(name, `default of '${option}': expected a number, true, false or a text`)
  })
  return Object.fromEntries(entries)
}

export function isOptimizer(value: unknown): value is OptimizerKind {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'optimizer'
}

import * as tf from '@tensorflow/tfjs-core'
import { MixlabError, messageOf } from '../../../../errors.ts'
import { equal, greater, greaterEqual, less, lessEqual, notEqual } from '../../../../nn/operations/comparisons.ts'
import type { Expression } from './expressions.ts'
import { FUNCTIONS, matmul, type Running } from './functions.ts'
import { initialised } from './initial.ts'
import { MODULES } from './modules.ts'
import { part } from './ranges.ts'
import type { Statement } from './statements.ts'
import { type Arguments, type ClassOf, fixed, Instance, Slot, type Thing, tensor } from './things.ts'

type Def = Extract<Statement, { kind: 'def' }>
type Names = Map<string, Thing>

const OPERATIONS: Record<string, (a: tf.Tensor, b: tf.Tensor) => tf.Tensor> = {
  ...{ '+': tf.add, '-': tf.sub, '*': tf.mul, '/': tf.div, '**': tf.pow, '@': matmul },
  // comparisons of the block language have no gradient, and need none
  ...{ '==': equal, '!=': notEqual, '>': greater, '>=': greaterEqual, '<': less, '<=': lessEqual },
}
const OF_NUMBERS: Record<string, (a: number, b: number) => number | boolean> = {
  ...{ '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b },
  ...{ '**': (a, b) => a ** b, '==': (a, b) => a === b, '!=': (a, b) => a !== b },
  ...{ '>': (a, b) => a > b, '>=': (a, b) => a >= b, '<': (a, b) => a < b, '<=': (a, b) => a <= b },
}

/** Libraries, whose functions are called by the last part of their names. */
const LIBRARIES = ['torch', 'F', 'nn', 'zlib', 'base64']

/** Interprets the classes and functions of a module. Throws MixlabError `weights` for a line that it cannot do. */
export function interpreter(statements: Statement[], running: Running) {
  const functions = new Map<string, Def>()
  const classes = new Map<string, ClassOf>()
  for (const statement of statements) {
    if (statement.kind === 'def') functions.set(statement.name, statement)
    if (statement.kind === 'class') {
      const methods = statement.body.flatMap((each) => (each.kind === 'def' ? [[each.name, each] as const] : []))
      classes.set(statement.name, { name: statement.name, methods: new Map(methods) })
    }
  }

  /** A new object of a class of the source. */
  function create(name: string, given: Arguments): Instance {
    const type = classes.get(name)
    if (!type) throw new MixlabError('weights', 'PyTorch', `has no class '${name}'`)
    const made = new Instance(type)
    method(made, '__init__', given)
    return made
  }

  /** Calls a method of an object of the source. */
  function method(of: Instance, name: string, given: Arguments): Thing {
    const def = of.type?.methods.get(name)
    if (!def) throw new Error(`'${of.type?.name ?? 'a module'}' has no method '${name}'`)
    return called(def, { ...given, by: [of, ...given.by] })
  }

  function called({ parameters, body }: Def, { by, named }: Arguments): Thing {
    const names: Names = new Map()
    for (const [i, { name, byDefault }] of parameters.entries()) {
      const value = by[i] ?? named[name] ?? (byDefault ? evaluated(byDefault, names) : undefined)
      if (value === undefined) throw new Error(`'${name}' is not given`)
      names.set(name, value)
    }
    return block(body, names)?.value ?? null
  }

  /** What is returned inside, if anything is. */
  function block(statements: Statement[], names: Names): { value: Thing } | null {
    for (const statement of statements) {
      let found: { value: Thing } | null
      try {
        found = run(statement, names)
      } catch (error) {
        if (error instanceof MixlabError) throw error
        throw new MixlabError('weights', 'PyTorch', `${messageOf(error)}, in the line: ${statement.text.trim()}`)
      }
      if (found) return found
    }
    return null
  }

  function run(statement: Statement, names: Names): { value: Thing } | null {
    switch (statement.kind) {
      case 'expression':
        evaluated(statement.value, names)
        return null
      case 'assign': {
        const value = evaluated(statement.value, names)
        const { targets } = statement
        for (const [i, target] of targets.entries())
          assign(target, targets.length > 1 ? ((value as Thing[])[i] as Thing) : value, names)
        return null
      }
      case 'return':
        return { value: evaluated(statement.value, names) }
      case 'if':
        return isTrue(evaluated(statement.test, names)) ? block(statement.body, names) : null
      case 'with':
        return block(statement.body, names)
      case 'for': {
        for (const each of elements(evaluated(statement.of, names))) {
          const found = block(statement.body, names.set(statement.name, each))
          if (found) return found
        }
        return null
      }
      default:
        throw new Error(`'${statement.kind}' has no place here`)
    }
  }

  function assign(target: Expression, value: Thing, names: Names): void {
    if (target.kind === 'name') {
      names.set(target.name, value)
      return
    }
    if (target.kind === 'member') {
      attribute(evaluated(target.of, names), target.name, value)
      return
    }
    if (target.kind !== 'item') throw new Error('cannot be assigned')
    // module._modules["name"] and its like, for names that cannot stand behind a dot
    const owner = target.of.kind === 'member' && target.of.name.startsWith('_') ? target.of.of : target.of
    attribute(evaluated(owner, names), String(evaluated(target.at[0] as Expression, names)), value)
  }

  function attribute(of: Thing, name: string, value: Thing): void {
    if (!(of instanceof Instance)) throw new Error(`'${name}' is assigned to what is no module`)
    const known = of.tensors.get(name)
    if (known && value instanceof tf.Tensor) known.given = tf.keep(tf.clone(value))
    else if (value instanceof Instance) of.modules.set(name, value)
    else if (value instanceof Slot) of.tensors.set(name, value)
    else if (value instanceof tf.Tensor) of.tensors.set(name, slotOf(value))
    else of.others.set(name, value)
  }

  function evaluated(expression: Expression, names: Names): Thing {
    const of = (inner: Expression) => evaluated(inner, names)
    switch (expression.kind) {
      case 'value':
        return expression.value
      case 'name': {
        const found = names.get(expression.name)
        if (found === undefined) throw new Error(`'${expression.name}' is not known`)
        return found
      }
      case 'list':
        return expression.items.map(of)
      case 'each':
        return elements(of(expression.of)).map((each) =>
          evaluated(expression.item, new Map(names).set(expression.name, each)),
        )
      case 'negative': {
        const value = of(expression.of)
        return typeof value === 'number' ? -value : tf.neg(tensor(value))
      }
      case 'not':
        return !isTrue(of(expression.of))
      case 'choice':
        return isTrue(of(expression.test)) ? of(expression.yes) : of(expression.no)
      case 'operation':
        return operation(expression.sign, of(expression.left), expression.right, of)
      case 'member':
        return member(expression, of)
      case 'item':
        return item(expression, of)
      case 'slice':
        throw new Error('a range stands where none can')
      case 'call':
        return call(expression, of)
    }
  }

  function operation(sign: string, left: Thing, expression: Expression, of: (inner: Expression) => Thing): Thing {
    if (sign === 'or') return isTrue(left) ? left : of(expression)
    const right = of(expression)
    if (Array.isArray(left)) {
      return Array.isArray(right) ? [...left, ...right] : Array.from({ length: Number(right) }, () => left).flat()
    }
    if (typeof left === 'number' && typeof right === 'number') {
      return (OF_NUMBERS[sign] as (a: number, b: number) => number | boolean)(left, right)
    }
    const run = OPERATIONS[sign]
    if (!run) throw new Error(`'${sign}' is no sign that Mixlab writes`)
    return run(tensor(left), tensor(right))
  }

  function member(
    { of: owner, name }: Extract<Expression, { kind: 'member' }>,
    of: (inner: Expression) => Thing,
  ): Thing {
    if (owner.kind === 'name' && owner.name === 'torch') return `torch.${name}`
    const value = of(owner)
    if (value instanceof Instance) {
      if (name === 'training') return running.training
      const found = value.modules.get(name) ?? value.tensors.get(name) ?? value.others.get(name)
      if (found === undefined) throw new Error(`there is no '${name}'`)
      return found
    }
    if (name === 'shape') return [...(value instanceof Slot ? value.shape : tensor(value).shape)]
    if (name === 'ndim') return tensor(value).rank
    if (name === 'dtype' || name === 'device') return null
    throw new Error(`'${name}' is not known`)
  }

  function item({ of: owner, at }: Extract<Expression, { kind: 'item' }>, of: (inner: Expression) => Thing): Thing {
    if (owner.kind === 'member' && owner.name.startsWith('_')) {
      const [module, name] = [of(owner.of) as Instance, String(of(at[0] as Expression))]
      const found = owner.name === '_modules' ? module.modules.get(name) : module.tensors.get(name)
      if (!found) throw new Error(`there is no '${name}'`)
      return found
    }
    const value = of(owner)
    if (value instanceof Instance) return value.modules.get(String(of(at[0] as Expression))) ?? null
    if (Array.isArray(value)) return value.at(Number(of(at[0] as Expression))) ?? null
    return part(tensor(value), at, of)
  }

  function call(expression: Extract<Expression, { kind: 'call' }>, of: (inner: Expression) => Thing): Thing {
    const callee = expression.of
    if (callee.kind === 'member' && callee.of.kind === 'call' && rootOf(callee.of.of) === 'super') return null
    const given: Arguments = {
      by: expression.arguments.map(of),
      named: Object.fromEntries(Object.entries(expression.named).map(([name, value]) => [name, of(value)])),
    }
    if (callee.kind === 'name') {
      const def = functions.get(callee.name)
      if (def) return called(def, given)
      if (classes.has(callee.name)) return create(callee.name, given)
      if (callee.name === 'range') return Array.from({ length: Number(given.by[0]) }, (_, i) => i)
      if (callee.name === 'float') return Number(String(given.by[0]).replace('inf', 'Infinity'))
      if (FUNCTIONS[callee.name]) return library(callee.name, given)
    }
    if (callee.kind === 'member') {
      const root = rootOf(callee)
      if (root !== null && LIBRARIES.includes(root)) return library(callee.name, given)
      const owner = of(callee.of)
      if (owner instanceof Instance) {
        const module = owner.modules.get(callee.name)
        if (module) return applied(module, given)
        if (callee.name === 'register_buffer') {
          const [name, value] = given.by
          attribute(owner, String(name), value as Thing)
          return null
        }
        return method(owner, callee.name, given)
      }
      if (owner instanceof Slot && callee.name === 'copy_') {
        owner.initial = fixed(tensor(given.by[0]).dataSync())
        return owner
      }
      const run = FUNCTIONS[callee.name]
      if (!run) throw new Error(`'${callee.name}' is not among the functions that Mixlab writes`)
      return run({ ...given, by: [owner, ...given.by] }, running)
    }
    return applied(of(callee), given)
  }

  function applied(module: Thing, given: Arguments): Thing {
    if (!(module instanceof Instance)) throw new Error('is called and is no module')
    return module.run ? module.run(tensor(given.by[0])) : method(module, 'forward', given)
  }

  function library(name: string, given: Arguments): Thing {
    const drawn = initialised(name, given)
    if (drawn !== undefined) return drawn
    if (MODULES[name]) return MODULES[name](given)
    if (name === 'empty')
      return new Slot(Array.isArray(given.by[0]) ? given.by[0].map(Number) : given.by.map(Number), null)
    if (name === 'Parameter') {
      const [value] = given.by
      const slot = value instanceof Slot ? value : slotOf(tensor(value))
      slot.trained = true
      return slot
    }
    const run = FUNCTIONS[name]
    if (!run) throw new Error(`'${name}' is not among the functions that Mixlab writes`)
    return run(given, running)
  }

  return { create, method }
}

const slotOf = (value: tf.Tensor) => new Slot([...value.shape], fixed(value.dataSync()))

/** The name that a chain of members begins with; null where it begins with anything else. */
function rootOf(expression: Expression): string | null {
  if (expression.kind === 'member') return rootOf(expression.of)
  return expression.kind === 'name' ? expression.name : null
}

const isTrue = (value: Thing): boolean => value !== null && value !== false && value !== 0

function elements(value: Thing): Thing[] {
  if (value instanceof Instance) return [...value.modules.values()]
  if (Array.isArray(value)) return value
  throw new Error('cannot be gone through')
}

import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { literal, maps } from '../lower/maps.ts'
import { inputOf, outputOf } from '../lower/operations.ts'
import type { Step } from '../lower/step.ts'
import { broadcast, transposed, views } from '../lower/views.ts'
import { type Body, createBody } from './body.ts'
import { type Index, number, plus, scaled, text } from './digits.ts'
import type { Kernel, Place } from './dispatch.ts'

/** What a shader needs to know of the values around it. */
export interface Surroundings {
  makers: Map<number, Operation>
  /** The one number that a constant holds everywhere. */
  literals: Map<number, number>
  /** The draws that the card makes by itself, by value: which of the functions does, and how many a part of a batch has, if it has its own. */
  draws: Map<number, { kind: 'bernoulli' | 'uniform'; partSize: number }>
}

/** The register of a value: WGSL, and the index of the element. */
export interface Register {
  code: string
  index: Index
}

/** A shader in the making. */
export interface Shader {
  step: Step
  body(): Body
  /** The element of a use, as WGSL; `registers` are the values that the kernel has at hand. */
  read(body: Body, use: Use, index: Index, registers?: Map<number, Register>): string
  write(body: Body, use: Use, index: Index, code: string): void
  /** The operations that follow: computed from the registers, and stored. */
  finish(body: Body, registers: Map<number, Register>): void
  add(code: string): void
  /** What is declared, and the statements of `main`, for workgroups of so many threads. */
  kernel(main: string, threads: number): Pick<Kernel, 'declarations' | 'main' | 'threads' | 'places'>
  places: Place[]
  /** Where it reads from memory, in the order of the calls. */
  loads: Index[]
}

/** The most uniforms of a dispatch. */
export const MAX_PLACES = 64

const DRAW = { bernoulli: 'drawByBernoulli', uniform: 'drawByUniform' } as const

/** Starts the shader of a step; `places` are those of the steps that it is done beside, and get its own. */
export function createShader(step: Step, { makers, literals, draws }: Surroundings, places: Place[] = []): Shader {
  const loads: Index[] = []
  const slots = new Map(places.map((place, i) => [JSON.stringify(place), i]))
  const parts: string[] = []
  const counter = { next: 0 }

  function place(key: Place): string {
    const name = JSON.stringify(key)
    const slot = slots.get(name) ?? places.push(key) - 1
    slots.set(name, slot)
    return `places[${slot >> 2}].${'xyzw'[slot & 3]}`
  }

  const at = (value: number, index: Index) => `${place({ value })} + ${text(index)}`

  function load(value: number, dtype: string, index: Index): string {
    loads.push(index)
    if (dtype === 'float32') return `load(${at(value, index)})`
    return dtype === 'bool' ? `(loadInt(${at(value, index)}) != 0)` : `loadInt(${at(value, index)})`
  }

  function read(body: Body, use: Use, index: Index, registers?: Map<number, Register>): string {
    const { value, dtype } = use
    const register = registers?.get(value)
    if (register) return register.code
    const constant = literals.get(value)
    if (constant !== undefined) return literal(constant, dtype)
    const draw = draws.get(value)
    if (draw) {
      const at = draw.partSize > 0 ? `ofStep(1u).z * ${draw.partSize}u + ${text(index)}` : text(index)
      return body.name(`${DRAW[draw.kind]}(ofStep(${place({ draw: value })}), ${at})`)
    }
    const maker = makers.get(value)
    if (!maker || step.loads.has(value)) return body.name(load(value, dtype, index))
    return compute(body, maker, index, registers)
  }

  /** The element of the result of an operation, computed here. */
  function compute(body: Body, maker: Operation, index: Index, registers?: Map<number, Register>): string {
    const view = views[maker.kernel]
    if (view) return body.name(view(maker, index, (use, at) => read(body, use, at, registers)))
    if (maker.kernel === 'PartSum') return sumOfParts(body, maker, index)
    const map = maps[maker.kernel]
    if (!map) throw new Error(`uses ${maker.kernel}, for which there is no shader`)
    const out = outputOf(maker)
    const given = Object.values(maker.inputs)
    const codes = given.map((use) => read(body, use, broadcast(index, out.shape, use.shape), registers))
    const code = map.code(codes, maker.attributes, given[0]?.dtype ?? 'float32')
    return map.cost === 0 ? code : body.name(code)
  }

  function sumOfParts(body: Body, maker: Operation, index: Index): string {
    const x = inputOf(maker, 'x')
    const parts = maker.attributes.parts as number
    const size = sizeOf(outputOf(maker))
    const part = (name: string) => load(x.value, 'float32', plus(scaled(number(name, parts), size), index))
    if (parts === 1) return body.name(load(x.value, 'float32', index))
    const sum = `s${counter.next++}`
    body.add(`var ${sum} = 0.0f;`)
    body.add(`for (var part = 0u; part < ${parts}u; part++) { ${sum} += ${part('part')}; }`)
    return sum
  }

  function write(body: Body, { value, dtype }: Use, index: Index, code: string): void {
    if (dtype === 'float32') body.add(`store(${at(value, index)}, ${code});`)
    else body.add(`storeInt(${at(value, index)}, ${dtype === 'bool' ? `select(0, 1, ${code})` : code});`)
  }

  function finish(body: Body, registers: Map<number, Register>): void {
    for (const { value, shape, dtype } of step.operation.outputs) {
      const register = registers.get(value)
      if (register && step.stores.has(value)) write(body, { value, shape, dtype }, register.index, register.code)
    }
    for (const operation of step.attached) {
      const out = outputOf(operation)
      const found = Object.values(operation.inputs).find((use) => registers.has(use.value)) as Use
      const { code, index } = registers.get(found.value) as Register
      const register: Register =
        operation.kernel === 'Transpose'
          ? { code, index: transposed(index, operation.attributes.perm as number[], found.shape) }
          : { code: compute(body, operation, index, registers), index }
      registers.set(out.value, register)
      if (step.stores.has(out.value)) write(body, out, register.index, register.code)
    }
  }

  return {
    step,
    places,
    loads,
    body: () => createBody(counter),
    read,
    write,
    finish,
    add: (code) => parts.push(code),
    kernel: (main, threads) => ({ declarations: parts.join('\n'), main, threads, places }),
  }
}

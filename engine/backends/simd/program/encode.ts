import { createArena } from '../../../compile/arena.ts'
import { sizeOf, type Use } from '../../../compile/graph.ts'
import { GROUPS } from '../kernels/matmulGroups.ts'
import { numberOfKernel } from '../share.ts'
import type { Cut, Instruction, OperandAddress } from './instruction.ts'
import type { Stage } from './stages.ts'

/** What is made before the stage begins. */
export interface Packing {
  /** Number of the packed form among the values. */
  value: number
  /** Elements of the packed form. */
  size: number
  instruction: Instruction
}

/** A stage as the numbers that assembly/program.ts reads, but for the addresses in front. */
export interface EncodedStage {
  numbers: number[]
  /** The words of 32 bits behind them. */
  words: number[]
  packings: Packing[]
  /** Bytes that each thread needs while it works on the stage. */
  arenaBytes: number
}

/** Numbers in front of the instructions; see assembly/program.ts. */
const HEADER = 6

/**
 * Gives each value that passes within the stage a place in the arena, for as long as it is needed. `number` gives numbers
 * of values that the graph does not have.
 */
export function encodeStage(stage: Stage, cut: Cut, number: () => number): EncodedStage {
  const arena = createArena(cut.wasm.arenaReserve())
  const places = new Map<number, number>()
  const global = new Set(stage.outputs.map(({ value }) => value))
  const packed = new Map<string, Packing>()
  const words = createWords()
  const last = new Map<number, number>()
  for (const [i, { inputs, outputs }] of stage.operations.entries()) {
    for (const { value } of [...Object.values(inputs), ...outputs]) last.set(value, i)
  }

  const writer = createWriter()
  for (const [i, operation] of stage.operations.entries()) {
    for (const use of operation.outputs) {
      if (!global.has(use.value)) places.set(use.value, arena.take((4 * sizeOf(use)) / cut.chunks))
    }
    for (const instruction of stage.instructions[i] ?? []) {
      const scratch: number[] = []
      writer.write(instruction, (address) => {
        if ('scratch' in address) {
          const offset = arena.take(address.scratch)
          scratch.push(offset)
          return [ARENA, 0, 0, offset]
        }
        if ('again' in address) return [AGAIN, 0, 0, 0]
        if ('words' in address) return [WORDS, 0, 0, 4 * words.place(address.words)]
        if ('group' in address) return [address.group.value, 0, (4 * sizeOf(address.group)) / GROUPS, 0]
        if ('packed' in address) return [packing(address, packed, number).value, 0, 0, 0]
        const offset = 4 * (address.offset ?? 0)
        if ('whole' in address) return [address.whole.value, 0, 0, offset]
        const place = places.get(address.part.value)
        if (place !== undefined) return [ARENA, 0, 0, place + offset]
        return [address.part.value, (4 * sizeOf(address.part)) / cut.chunks, 0, offset]
      })
      for (const offset of scratch) arena.give(offset)
    }
    for (const value of new Set([...Object.values(operation.inputs), ...operation.outputs].map(({ value }) => value))) {
      const place = last.get(value) === i ? places.get(value) : undefined
      if (place !== undefined) arena.give(place)
    }
  }
  return { numbers: writer.numbers(), words: words.all, packings: [...packed.values()], arenaBytes: arena.size() }
}

/** Instructions whose operands are whole values, to be run once each. */
export function encodeAll(instructions: Instruction[]): number[] {
  const writer = createWriter()
  for (const instruction of instructions) {
    writer.write(instruction, (address) => {
      if (!('whole' in address)) throw new Error(`${instruction.kernel} takes whole values here`)
      return [address.whole.value, 0, 0, 4 * (address.offset ?? 0)]
    })
  }
  return writer.numbers()
}

/** In place of a value: the arena, whether the task has done a chunk before, and the words behind the stage. */
const [ARENA, AGAIN, WORDS] = [-1, -2, -3]

/** Collects words; the same ones lie in one place. */
function createWords() {
  const all: number[] = []
  const places = new Map<string, number>()
  return {
    all,
    /** Where they are, in words. */
    place: (words: readonly number[]): number => {
      const key = words.join()
      const known = places.get(key)
      if (known !== undefined) return known
      const place = all.length
      places.set(key, place)
      all.push(...words)
      return place
    },
  }
}

function packing(
  { packed: use, by: { kernel, size, offset = 0, numbers } }: Extract<OperandAddress, { packed: Use }>,
  known: Map<string, Packing>,
  number: () => number,
): Packing {
  const key = [use.value, kernel, offset, ...numbers].join()
  const found = known.get(key)
  if (found) return found
  const value = number()
  const form: Use = { value, shape: [size], dtype: 'float32' }
  const made: Packing = {
    value,
    size,
    instruction: { kernel, operands: [{ whole: use, offset }, { whole: form }, ...numbers] },
  }
  known.set(key, made)
  return made
}

/** Where an address is: the number of the value, bytes from chunk to chunk and from task to task, and bytes from there. */
type Place = [value: number, chunkStep: number, taskStep: number, offset: number]

/** Collects the numbers of a stage. */
function createWriter() {
  const numbers: number[] = Array(HEADER).fill(0)
  return {
    write: ({ kernel, operands }: Instruction, placeOf: (address: OperandAddress) => Place) => {
      const addresses = operands.flatMap((operand, i) => {
        return typeof operand === 'number' ? [] : [[i + 1, ...placeOf(operand)]]
      })
      const call = [numberOfKernel(kernel), ...operands.map((operand) => (typeof operand === 'number' ? operand : 0))]
      const size = 2 + 5 * addresses.length + call.length
      numbers.push(8 * size, addresses.length, ...addresses.flat(), ...call)
    },
    numbers: () => numbers.with(1, 8 * numbers.length),
  }
}

import { createArena } from '../../../compile/arena.ts'
import { sizeOf, type Use } from '../../../compile/graph.ts'
import { GROUPS } from '../kernels/matmulGroups.ts'
import { numberOfKernel } from '../share.ts'
import { type Instruction, type OperandAddress, type Packer, partOf } from './instruction.ts'
import type { Stage } from './stages.ts'

/** What is made before the stage begins. */
export interface Packing {
  /** Number of the packed form among the values. */
  value: number
  /** Elements of the packed form. */
  size: number
  instructions: Instruction[]
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
const HEADER = 8

/**
 * Gives each value that passes within the stage a place in the arena, for as long as it is needed. `number` gives numbers
 * of values that the graph does not have.
 */
export function encodeStage(stage: Stage, number: () => number): EncodedStage {
  const { cut } = stage
  const { batch, chunks, rows } = cut
  const arena = createArena(cut.wasm.arenaReserve())
  const places = new Map<number, number>()
  const global = new Set(stage.outputs.map(({ value }) => value))
  const packed = new Map<string, Packing>()
  const words = createWords()
  const last = new Map<number, number>()
  for (const [i, { inputs, outputs }] of stage.operations.entries()) {
    for (const { value } of [...Object.values(inputs), ...outputs]) last.set(value, i)
  }

  /** From chunk to chunk of an example. */
  const pieceOf = (size: number) => (rows ? (size * rows.each) / rows.tokens : 0)
  const write = (writer: Writer, instruction: Instruction) => {
    const scratch: number[] = []
    writer.write(instruction, (address) => {
      if ('scratch' in address) {
        const offset = arena.take(address.scratch)
        scratch.push(offset)
        return [ARENA, 0, 0, 0, offset]
      }
      if ('again' in address) return [AGAIN, 0, 0, 0, 0]
      if ('words' in address) return [WORDS, 0, 0, 0, 4 * words.place(address.words)]
      if ('group' in address) return [address.group.value, 0, 0, (4 * sizeOf(address.group)) / GROUPS, 0]
      if ('packed' in address) {
        const { value } = packing(address, packed, batch, number)
        return [value, address.by.byExample ? 4 * address.by.size : 0, 0, 0, 0]
      }
      const offset = 4 * (address.offset ?? 0)
      if ('whole' in address) return [address.whole.value, 0, 0, 0, offset]
      if ('example' in address) return [address.example.value, (4 * sizeOf(address.example)) / batch, 0, 0, offset]
      if ('rows' in address) return [address.rows.value, 0, pieceOf(4 * sizeOf(address.rows)), 0, offset]
      const { value } = address.part
      const place = places.get(value)
      if (place !== undefined) return [ARENA, 0, 0, 0, place + offset]
      const size = (4 * sizeOf(address.part)) / (rows ? batch : chunks)
      return [value, size, pieceOf(size), 0, offset]
    })
    for (const offset of scratch) arena.give(offset)
  }

  const writer = createWriter()
  const restWriter = createWriter()
  for (const [i, operation] of stage.operations.entries()) {
    for (const use of operation.outputs) {
      if (!global.has(use.value)) places.set(use.value, arena.take(4 * (partOf(sizeOf(use), cut) as number)))
    }
    for (const instruction of stage.instructions[i] ?? []) write(writer, instruction)
    for (const instruction of stage.rest?.[i] ?? []) write(restWriter, instruction)
    for (const value of new Set([...Object.values(operation.inputs), ...operation.outputs].map(({ value }) => value))) {
      const place = last.get(value) === i ? places.get(value) : undefined
      if (place !== undefined) arena.give(place)
    }
  }
  const numbers = numbersOf(writer, restWriter)
  numbers[0] = chunks
  numbers[6] = rows ? chunks / batch : 1
  return { numbers, words: words.all, packings: [...packed.values()], arenaBytes: arena.size() }
}

/** Instructions whose operands are whole values, to be run once each. */
export function encodeAll(instructions: Instruction[]): number[] {
  const writer = createWriter()
  for (const instruction of instructions) {
    writer.write(instruction, (address) => {
      if (!('whole' in address)) throw new Error(`${instruction.kernel} takes whole values here`)
      return [address.whole.value, 0, 0, 0, 4 * (address.offset ?? 0)]
    })
  }
  return numbersOf(writer)
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
  { packed: use, by }: { packed: Use; by: Packer },
  known: Map<string, Packing>,
  batch: number,
  number: () => number,
): Packing {
  const key = JSON.stringify([use.value, by])
  const found = known.get(key)
  if (found) return found
  const { kernel, size, offset = 0, byExample, numbers } = by
  const forms = byExample ? batch : 1
  const form: Use = { value: number(), shape: [forms * size], dtype: 'float32' }
  const instructions = Array.from({ length: forms }, (_, i): Instruction => {
    const read = { whole: use, offset: (i * sizeOf(use)) / forms + offset }
    return { kernel, operands: [read, { whole: form, offset: i * size }, ...numbers] }
  })
  const made: Packing = { value: form.value, size: forms * size, instructions }
  known.set(key, made)
  return made
}

/** Where an address is: the number of the value, bytes from example to example, from chunk to chunk of one and from task to task, and bytes from there. */
type Place = [value: number, exampleStep: number, chunkStep: number, taskStep: number, offset: number]

type Writer = ReturnType<typeof createWriter>

/** The numbers of a stage, and behind them those of its other instructions. */
function numbersOf(writer: Writer, rest?: Writer): number[] {
  const [all, end] = [[...Array<number>(HEADER).fill(0), ...writer.numbers], 8 * (HEADER + writer.numbers.length)]
  if (rest) all.push(...rest.numbers)
  all[1] = 8 * all.length
  all[7] = end
  return all
}

/** Collects the numbers of instructions. */
function createWriter() {
  const numbers: number[] = []
  return {
    write: ({ kernel, operands }: Instruction, placeOf: (address: OperandAddress) => Place) => {
      const addresses = operands.flatMap((operand, i) => {
        return typeof operand === 'number' ? [] : [[i + 1, ...placeOf(operand)]]
      })
      const call = [numberOfKernel(kernel), ...operands.map((operand) => (typeof operand === 'number' ? operand : 0))]
      const size = 2 + 6 * addresses.length + call.length
      numbers.push(8 * size, addresses.length, ...addresses.flat(), ...call)
    },
    numbers,
  }
}

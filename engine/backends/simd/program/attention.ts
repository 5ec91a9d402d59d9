import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { type Cut, type Lowering, type OperandAddress, partOf } from './instruction.ts'

/** What is done with the products of queries and keys before the softmax, beside masks. */
export const SCALINGS = ['', 'Multiply', 'RealDiv'] as const

/** The attributes of `Attention` and `AttentionGrad`, which fuseAttention.ts makes. */
export interface AttentionAttributes {
  /** How scores are scaled by `scale`; the index in SCALINGS. */
  scaling: number
  /** Whether keys are stored `[width, keys]`. */
  transposed: boolean
  /** Heads of an example, as masks see them. */
  heads: number
  /** How each mask varies, three bits for each: by example, by head, by query. */
  varies: number
  /** Of the outputs of a gradient, which are those by q, k and v. */
  by?: ('q' | 'k' | 'v')[]
}

/** Most masks that are added to scores. */
export const MASKS = 3
/** The bit of a mask that varies by example. */
export const BY_EXAMPLE = 1
const BY_HEAD = 2

/** The operands that forward and backward share, behind the addresses of what is read and written. */
function common(inputs: Record<string, Use>, attributes: AttentionAttributes, cut: Cut) {
  const { q, k, v, scale } = inputs as { q: Use; k: Use; v: Use; scale?: Use }
  const { scaling, transposed, heads, varies } = attributes
  const [queries, width] = q.shape.slice(-2) as [number, number]
  const [keys, channels] = v.shape.slice(-2) as [number, number]
  const samples = partOf(sizeOf(q) / (queries * width), cut) ?? 0
  const masks = Array.from({ length: MASKS }, (_, i): number | OperandAddress => {
    const mask = inputs[`mask${i}`]
    if (!mask) return 0
    return (varies >> (3 * i)) & BY_EXAMPLE ? { part: mask } : { whole: mask }
  })
  const how = [...masks, varies, scale ? { whole: scale } : 0, scaling, Number(transposed)]
  return {
    read: [q, k, v].map((part) => ({ part })),
    numbers: [...how, samples, heads, queries, keys, width, channels],
    sizes: [keys, width, channels] as const,
    divides:
      samples > 0 && (samples % heads === 0 || masksOf(varies).every((mask) => !(mask & (BY_EXAMPLE | BY_HEAD)))),
  }
}

function masksOf(varies: number): number[] {
  return Array.from({ length: MASKS }, (_, i) => varies >> (3 * i))
}

const forward: Lowering = ({ inputs, attributes, outputs }, cut) => {
  const { read, numbers, sizes, divides } = common(inputs, attributes as unknown as AttentionAttributes, cut)
  const written = outputs.map((part) => ({ part }))
  const scratch = { scratch: cut.wasm.attentionScratch(...sizes) }
  return divides ? [{ kernel: 'attention', operands: [...read, ...written, ...numbers, scratch] }] : null
}

const backward: Lowering = ({ inputs, attributes, outputs }, cut) => {
  const own = attributes as unknown as AttentionAttributes
  const { read, numbers, sizes, divides } = common(inputs, own, cut)
  const written = (['q', 'k', 'v'] as const).map((name) => {
    const part = outputs[own.by?.indexOf(name) ?? -1]
    return part ? { part } : 0
  })
  const scratch = { scratch: cut.wasm.attentionGradScratch(...sizes) }
  const operands = [...read, { part: inputs.dy as Use }, ...written, ...numbers, scratch]
  return divides ? [{ kernel: 'attentionGrad', operands }] : null
}

/** Heads of all examples. */
export function samplesOf({ inputs }: Operation): number {
  const [queries, width] = (inputs.q as Use).shape.slice(-2) as [number, number]
  return sizeOf(inputs.q as Use) / (queries * width)
}

export const attentions: Record<string, Lowering> = { Attention: forward, AttentionGrad: backward }

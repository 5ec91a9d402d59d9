/** Euclidean norms of a trained tensor of a run at a step; null where they are not known, or not finite. */
export interface TensorNorms {
  name: string
  step: number
  /** After the step. */
  weights: number | null
  /** Of the step, before clipping. */
  gradients: number | null
  /** Of what the step changed. */
  update: number | null
}

/** The same of all tensors of a layer. */
export interface LayerNorms {
  layer: string
  step: number
  gradient: number | null
  /** The norm of what the step changed divided by that of the weights. */
  ratio: number | null
}

/** The norms of each layer, a block or what stands before or behind them, by step, in the order of the layers. */
export function layerNormsOf(rows: readonly TensorNorms[]): LayerNorms[] {
  const groups = Map.groupBy(rows, ({ name, step }) => `${step} ${layerOf(name)}`)
  const layers = [...groups.values()].map((own): LayerNorms => {
    const [{ name, step }] = own as [TensorNorms, ...TensorNorms[]]
    const [weights, gradient, update] = (['weights', 'gradients', 'update'] as const).map((kind) =>
      normOf(own.map((each) => each[kind])),
    )
    const ratio = update != null && weights ? update / weights : null
    return { layer: layerOf(name), step, gradient: gradient ?? null, ratio }
  })
  return layers.sort((a, b) => place(a.layer) - place(b.layer) || compare(a.layer, b.layer) || a.step - b.step)
}

/** The layer of a tensor: up to the number of its block, or else the first part of its name. */
export function layerOf(name: string): string {
  return (/^.*?\bblocks\.\d+/.exec(name) ?? /^.*?\.\d+(?=\.)/.exec(name))?.[0] ?? name.split('.')[0] ?? name
}

/** Before, among or behind the blocks. */
function place(layer: string): number {
  if (/\d/.test(layer)) return 1
  return /^(head|fc|classifier)/.test(layer) ? 3 : /^(norm|pool)/.test(layer) ? 2 : 0
}

const compare = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

function normOf(norms: (number | null)[]): number | null {
  return norms.includes(null) ? null : Math.hypot(...(norms as number[]))
}

import type { Layer } from './layers.ts'

/** Layers that follow each other and differ in one number of their names only, such as the blocks of a model. */
export interface Fold {
  /** Name of the first and of the last; the same where there is one. */
  first: string
  last: string
  count: number
  /** The first of them, and what is inside it. */
  layers: Layer[]
}

/** Groups the layers of a model: one entry for each layer of depth 0, or for a row of equal ones. */
export function foldLayers(layers: readonly Layer[]): Fold[] {
  const folds: Fold[] = []
  for (const group of groups(layers)) {
    const name = group[0]?.name ?? ''
    const before = folds.at(-1)
    if (before && follows(before.last, name) && sameInside(before.layers, group)) {
      before.last = name
      before.count++
    } else folds.push({ first: name, last: name, count: 1, layers: group })
  }
  return folds
}

/** Each layer of depth 0 with those inside it. */
function groups(layers: readonly Layer[]): Layer[][] {
  const all: Layer[][] = []
  for (const layer of layers) {
    if (layer.depth === 0) all.push([layer])
    else all.at(-1)?.push(layer)
  }
  return all
}

/** Whether `b` is `a` with its last number one higher. */
function follows(a: string, b: string): boolean {
  return a.replace(/\d+(?=\D*$)/, (digits) => String(Number(digits) + 1)) === b && a !== b
}

function sameInside(a: Layer[], b: Layer[]): boolean {
  return JSON.stringify(relative(a)) === JSON.stringify(relative(b))
}

function relative(group: Layer[]): unknown[] {
  const start = group[0]?.name.length ?? 0
  return group.map((layer) => ({ ...layer, name: layer.name.slice(start) }))
}

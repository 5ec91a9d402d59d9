import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { inputOf, outputOf, type ProductSizes, sizesOf } from '../lower/operations.ts'
import { broadcast } from '../lower/views.ts'
import { type Index, number, plus, scaled, strideOf, whole } from './digits.ts'
import type { Kernel } from './dispatch.ts'
import type { Shader } from './shader.ts'

/** Rows and columns of the threads of a workgroup, and terms that are in workgroup memory at a time. */
const [SIDE, DEPTH] = [16, 16]
/** The largest tiles are chosen that divide the product into at least this many; each is a workgroup. */
const MIN_TILES = 96

interface Tile {
  rows: number
  columns: number
}

/**
 * Products of matrices, `[m, k]` by `[k, n]`, side by side: tiles of the factors in workgroup memory, each thread adding up
 * to 4 x 4 elements. With `parts`, part i of the terms adds up to part i of the output; with `sumsOf`, the second output
 * gets the sums over the terms of that factor, `[n]`.
 */
export function product(shader: Shader): Kernel {
  const { operation } = shader.step
  const sizes = ofParts(operation)
  const { batch, m, n, k } = sizes
  const parts = (operation.attributes.parts as number | undefined) ?? 1
  const tile = tileOf(sizes, parts)
  const share = Math.ceil(k / parts / DEPTH) * DEPTH
  const a = factor(shader, operation, 'a', sizes, tile.rows)
  const b = factor(shader, operation, 'b', sizes, tile.columns)
  const alongRows = finishing(shader, operation, sizes, parts)
  const [perRow, perColumn] = [tile.rows / SIDE, tile.columns / SIDE]
  const type = { 1: 'f32', 2: 'vec2f', 4: 'vec4f' }[perColumn] as string
  const all = (count: number) => Array.from({ length: count }, (_, i) => i)
  const element = (j: number) => (perColumn === 1 ? '' : `.${'xyzw'[j]}`)
  const columns = all(perColumn).map((j) => `tileB[kk * ${tile.columns}u + c + ${j * SIDE}u]`)
  const main = `  let z = group.z / ${parts}u;
  let part = group.z % ${parts}u;
  let m0 = group.y * ${tile.rows}u;
  let n0 = group.x * ${tile.columns}u;
  let r = thread ${alongRows ? '%' : '/'} ${SIDE}u;
  let c = thread ${alongRows ? '/' : '%'} ${SIDE}u;
  let end = min(${k}u, (part + 1u) * ${share}u);
${all(perRow)
  .map((i) => `  var sum${i} = ${type}(0);`)
  .join('\n')}
  var total = 0.0f;
  for (var k0 = part * ${share}u; k0 < end; k0 += ${DEPTH}u) {
${a}
${b}
    workgroupBarrier();
${sumsCode(operation, tile)}
    for (var kk = 0u; kk < ${DEPTH}u; kk++) {
      let b = ${type}(${columns.join(', ')});
${all(perRow)
  .map((i) => `      sum${i} += tileA[kk * ${tile.rows}u + r + ${i * SIDE}u] * b;`)
  .join('\n')}
    }
    workgroupBarrier();
  }
${all(perRow)
  .flatMap((i) =>
    all(perColumn).map((j) => `  finish(part, z, m0 + r + ${i * SIDE}u, n0 + c + ${j * SIDE}u, sum${i}${element(j)});`),
  )
  .join('\n')}
${sumsEnd(shader, operation, sizes, tile, parts)}`
  shader.add(`var<workgroup> tileA: array<f32, ${DEPTH * tile.rows}>;
var<workgroup> tileB: array<f32, ${DEPTH * tile.columns}>;`)
  return {
    label: `product ${batch > 1 ? `${batch}x` : ''}${m}x${n}x${k}${parts > 1 ? ` in ${parts}` : ''}`,
    ...shader.kernel(main, SIDE * SIDE),
    operations: 2 * batch * m * n * k,
    workgroups: [Math.ceil(n / tile.columns), Math.ceil(m / tile.rows), batch * parts],
  }
}

/** The sizes, where the output has one more axis for parts. */
function ofParts(operation: Operation): ProductSizes {
  if (!operation.attributes.parts) return sizesOf(operation)
  const [first, ...others] = operation.outputs as [Use, ...Use[]]
  return sizesOf({ ...operation, outputs: [{ ...first, shape: first.shape.slice(1) }, ...others] })
}

/** Rows and columns that a workgroup computes, 16 to 64. */
function tileOf({ batch, m, n }: ProductSizes, parts: number): Tile {
  const within = (length: number, most: number) => Math.min(most, length > 32 ? 64 : length > 16 ? 32 : 16)
  for (const most of [64, 32, 16]) {
    const [rows, columns] = [within(m, most), within(n, most)]
    if (most === 16 || batch * parts * Math.ceil(m / rows) * Math.ceil(n / columns) >= MIN_TILES)
      return { rows, columns }
  }
  return { rows: SIDE, columns: SIDE }
}

/** The matrix `z` of a factor, whose batch axes may be shorter than those of the product. */
function matrixAt(operation: Operation, use: Use, z: Index, each: number): Index {
  const outer = outputOf(operation).shape.slice(operation.attributes.parts ? 1 : 0, -2)
  return scaled(broadcast(z, outer, use.shape.slice(0, -2)), each)
}

/** The function that reads a factor, and the statements that fill its tile. */
function factor(shader: Shader, operation: Operation, name: 'a' | 'b', sizes: ProductSizes, length: number): string {
  const use = inputOf(operation, name)
  const count = name === 'a' ? sizes.m : sizes.n
  const { k } = sizes
  const transposed = operation.attributes[name === 'a' ? 'transposeA' : 'transposeB'] === true
  const [line, term] = [whole({ name: 'line', size: count }), whole({ name: 'term', size: k })]
  const termsLast = (name === 'a') !== transposed
  const inner = termsLast ? plus(scaled(line, k), term) : plus(scaled(term, count), line)
  const body = shader.body()
  const before = shader.loads.length
  const index = plus(matrixAt(operation, use, whole({ name: 'z', size: sizes.batch }), count * k), inner)
  const read = shader.read(body, use, index)
  const title = name.toUpperCase()
  shader.add(`fn factor${title}(z: u32, line: u32, term: u32) -> f32 {\n${body.text()}\n  return ${read};\n}`)
  const seen = shader.loads.slice(before)
  const along = (base: string) => seen.some((each) => strideOf(each, base) === 1)
  const linesFirst = along('line') && !along('term')
  const start = name === 'a' ? 'm0' : 'n0'
  const [lineOf, termOf] = linesFirst ? [`at % ${length}u`, `at / ${length}u`] : [`at / ${DEPTH}u`, `at % ${DEPTH}u`]
  return `    for (var i = 0u; i < ${(length * DEPTH) / (SIDE * SIDE)}u; i++) {
      let at = i * ${SIDE * SIDE}u + thread;
      let line = ${lineOf};
      let term = ${termOf};
      var x = 0.0f;
      if (${start} + line < ${count}u && k0 + term < end) { x = factor${title}(z, ${start} + line, k0 + term); }
      tile${title}[term * ${length}u + line] = x;
    }`
}

/** The function for an element that is added up; returns whether neighbours of a column are neighbours in memory. */
function finishing(shader: Shader, operation: Operation, { batch, m, n }: ProductSizes, parts: number): boolean {
  const out = outputOf(operation)
  const inner = plus(
    scaled(whole({ name: 'z', size: batch }), m * n),
    scaled(whole({ name: 'row', size: m }), n),
    whole({ name: 'column', size: n }),
  )
  const body = shader.body()
  body.add(`if (row >= ${m}u || column >= ${n}u) { return; }`)
  let alongRows = false
  if (operation.attributes.parts) {
    if (shader.step.stores.has(out.value)) {
      shader.write(body, out, plus(scaled(number('part', parts), sizeOf(out) / parts), inner), 'x')
    }
  } else {
    const registers = new Map([[out.value, { code: 'x', index: inner }]])
    shader.finish(body, registers)
    const stored = [...shader.step.stores].map((value) => registers.get(value)?.index as Index)
    alongRows = stored.some((index) => strideOf(index, 'row') === 1) && m > 1
  }
  shader.add(`fn finish(part: u32, z: u32, row: u32, column: u32, x: f32) {\n${body.text()}\n}`)
  return alongRows
}

function sumsCode(operation: Operation, tile: Tile): string {
  const { sumsOf } = operation.attributes
  if (!sumsOf) return ''
  const [group, name, length] = sumsOf === 'b' ? ['y', 'B', tile.columns] : ['x', 'A', tile.rows]
  return `    if (group.${group} == 0u && thread < ${length}u) {
      for (var kk = 0u; kk < ${DEPTH}u; kk++) { total += tile${name}[kk * ${length}u + thread]; }
    }`
}

function sumsEnd(shader: Shader, operation: Operation, { m, n }: ProductSizes, tile: Tile, parts: number): string {
  const { sumsOf } = operation.attributes
  const out = operation.outputs[1]
  if (!sumsOf || !out || !shader.step.stores.has(out.value)) return ''
  const [group, start, length, count] = sumsOf === 'b' ? ['y', 'n0', tile.columns, n] : ['x', 'm0', tile.rows, m]
  const body = shader.body()
  const index = plus(scaled(number('part', parts), count), number(`${start} + thread`, count))
  shader.write(body, out, index, 'total')
  return `  if (group.${group} == 0u && thread < ${length}u && ${start} + thread < ${count}u) {\n${body.text()}\n  }`
}

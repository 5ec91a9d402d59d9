import { sizeOf, type Use } from '../../../compile/graph.ts'
import { literal, typeOf } from '../lower/maps.ts'
import { axesOf, inputOf, outputOf } from '../lower/operations.ts'
import { coordinates, type Index, linear, number, plus, scaled, strideOf, whole, ZERO } from './digits.ts'
import { grid, type Kernel } from './dispatch.ts'
import type { Shader } from './shader.ts'

const THREADS = 256
/** Threads that add up a column together, unless these make fewer workgroups than the card has work for: then all do. */
const [COLUMN_LANES, MIN_WORKGROUPS] = [16, 64]

/** How terms are taken together: the number to begin with, of floats and of integers, and the result of two. */
const KINDS: Record<string, { first: number; firstWhole?: number; join(a: string, b: string): string }> = {
  Sum: { first: 0, join: (a, b) => `${a} + ${b}` },
  Segments: { first: 0, join: (a, b) => `${a} + ${b}` },
  Prod: { first: 1, join: (a, b) => `${a} * ${b}` },
  Max: { first: -3.4028234e38, firstWhole: 1 - 2 ** 31, join: (a, b) => `max(${a}, ${b})` },
  Min: { first: 3.4028234e38, firstWhole: 2 ** 31 - 1, join: (a, b) => `min(${a}, ${b})` },
}

/** Sums, largest and smallest values along any axes, with `parts` as those of a product. */
export function reduce(shader: Shader): Kernel {
  const { operation } = shader.step
  const x = inputOf(operation, 'x')
  const axes = axesOf(operation)
  const lengths = (some: number[]) => some.map((axis) => x.shape[axis] as number)
  const kept = [...x.shape.keys()].filter((axis) => !axes.includes(axis))
  const size = lengths(kept).reduce((product, length) => product * length, 1)
  const terms = lengths(axes).reduce((product, length) => product * length, 1)
  const outer = coordinates(whole({ name: 'o', size }), lengths(kept))
  const inner = coordinates(whole({ name: 't', size: terms }), lengths(axes))
  const at = x.shape.map(
    (_, axis) => (axes.includes(axis) ? inner[axes.indexOf(axis)] : outer[kept.indexOf(axis)]) ?? ZERO,
  )
  const body = shader.body()
  const code = shader.read(body, x, linear(at, x.shape))
  shader.add(`fn x(o: u32, t: u32) -> ${typeOf(x.dtype)} {\n${body.text()}\n  return ${code};\n}`)
  const along = (base: string) => shader.loads.some((index) => strideOf(index, base) === 1)
  const parts = (operation.attributes.parts as number | undefined) ?? 1
  const share = Math.ceil(terms / parts)
  const bounds = `  let begin = part * ${share}u;\n  let end = min(${terms}u, begin + ${share}u);`
  return joined(shader, { size, terms: share, parts, bounds, byColumn: along('o') && !along('t'), term: 'x(o, t)' })
}

/** Row s of the result is the sum of the rows of x whose id is s; `Order` says which those are. */
export function segments(shader: Shader): Kernel {
  const { operation } = shader.step
  const [x, starts, order] = ['x', 'starts', 'order'].map((name) => inputOf(operation, name)) as [Use, Use, Use]
  const out = outputOf(operation)
  const [size, count] = [sizeOf(out), x.shape[0] as number]
  const inner = sizeOf(x) / count
  const body = shader.body()
  const row = number(`u32(${shader.read(body, order, whole({ name: 't', size: count }))})`, count)
  const code = shader.read(body, x, plus(scaled(row, inner), number(`o % ${inner}u`, inner)))
  shader.add(`fn x(o: u32, t: u32) -> ${typeOf(x.dtype)} {\n${body.text()}\n  return ${code};\n}`)
  const edge = (name: string, more: number) => {
    const own = shader.body()
    const at = plus(number(`o / ${inner}u`, size / inner), { terms: [], offset: more })
    const value = shader.read(own, starts, at)
    shader.add(`fn ${name}(o: u32) -> u32 {\n${own.text()}\n  return u32(${value});\n}`)
  }
  edge('first', 0)
  edge('next', 1)
  const bounds = '  let begin = first(o);\n  let end = next(o);'
  return joined(shader, {
    size,
    terms: Math.ceil((count * inner) / size),
    parts: 1,
    bounds,
    byColumn: inner > 1,
    term: 'x(o, t)',
  })
}

interface Joining {
  /** Elements of the result. */
  size: number
  /** Terms of each, about. */
  terms: number
  parts: number
  /** Statements for `begin` and `end`, from the element `o` and the `part`. */
  bounds: string
  /** Whether neighbours in the result, not neighbouring terms, are neighbours in memory. */
  byColumn: boolean
  term: string
}

function joined(shader: Shader, { size, terms, parts, bounds, byColumn, term }: Joining): Kernel {
  const { operation, stores } = shader.step
  const { first, firstWhole = first, join } = KINDS[operation.kernel] as (typeof KINDS)[string]
  const isFew = size * parts * COLUMN_LANES < THREADS * MIN_WORKGROUPS
  const most = byColumn && !isFew ? COLUMN_LANES : THREADS
  const few = size * parts >= 65536 ? 1 : most
  const lanes = Math.max(1, Math.min(few, 2 ** Math.floor(Math.log2(Math.max(1, terms / 4)))))
  const perGroup = THREADS / lanes
  const blocks = Math.ceil(size / perGroup)
  const { workgroups, number: block } = grid(blocks * parts)
  const out = outputOf(operation)
  const type = typeOf(out.dtype)
  const [pool, start] = type === 'i32' ? ['wholes', literal(firstWhole, 'int32')] : ['pool', literal(first)]
  const index: Index = whole({ name: 'o', size })
  const body = shader.body()
  if (operation.attributes.parts) {
    if (stores.has(out.value)) shader.write(body, out, plus(scaled(number('part', parts), size), index), 'x')
  } else shader.finish(body, new Map([[out.value, { code: 'x', index }]]))
  shader.add(`fn finish(part: u32, o: u32, x: ${type}) {\n${body.text()}\n}`)
  shader.add(`var<workgroup> ${pool}: array<${type}, ${THREADS}>;`)
  const [lane, column] = byColumn
    ? [`thread / ${perGroup}u`, `thread % ${perGroup}u`]
    : [`thread % ${lanes}u`, `thread / ${lanes}u`]
  const main = `  let block = ${block};
  let part = block / ${blocks}u;
  let lane = ${lane};
  let own = (block % ${blocks}u) * ${perGroup}u + ${column};
  let o = min(own, ${size - 1}u);
${bounds}
  var all = ${start};
  for (var t = begin + lane; t < end; t += ${lanes}u) { all = ${join('all', term)}; }
  let slot = ${column} * ${lanes}u + lane;
  ${pool}[slot] = all;
  workgroupBarrier();
  for (var half = ${Math.floor(lanes / 2)}u; half > 0u; half /= 2u) {
    if (lane < half) { ${pool}[slot] = ${join(`${pool}[slot]`, `${pool}[slot + half]`)}; }
    workgroupBarrier();
  }
  if (lane == 0u && own < ${size}u && part < ${parts}u) { finish(part, o, ${pool}[slot]); }`
  const label = `${operation.kernel} ${size}x${terms}${parts > 1 ? ` in ${parts}` : ''}`
  return { label, ...shader.kernel(main, THREADS), workgroups }
}

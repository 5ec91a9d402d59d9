import { sizeOf, type Use } from '../../../compile/graph.ts'
import { inputOf } from '../lower/operations.ts'
import { number, whole } from './digits.ts'
import { grid, type Kernel } from './dispatch.ts'
import type { Shader } from './shader.ts'

const THREADS = 256
/** Ids that a workgroup sorts by itself. */
const BLOCK = 512

/**
 * Ids sorted block by block, and where each was; equal ids keep their order, and those below 0 or not below `count` stand at
 * the end, as `count`.
 */
export function sortBlocks(shader: Shader): Kernel {
  const { operation } = shader.step
  const ids = inputOf(operation, 'ids')
  const [sorted, from] = operation.outputs as [Use, Use]
  const size = sizeOf(ids)
  const count = operation.attributes.count as number
  const body = shader.body()
  const code = shader.read(body, ids, whole({ name: 'i', size }))
  shader.add(`fn id(i: u32) -> i32 {\n${body.text()}\n  return ${code};\n}`)
  shader.add(`var<workgroup> keys: array<i32, ${BLOCK}>;`)
  const written = shader.body()
  shader.write(written, sorted, number('to', size), 'key')
  shader.write(written, from, number('to', size), 'i32(i)')
  const { workgroups, number: block } = grid(Math.ceil(size / BLOCK))
  const main = `  let first = ${block} * ${BLOCK}u;
  let length = min(${BLOCK}u, ${size}u - first);
  for (var at = thread; at < length; at += ${THREADS}u) {
    let own = id(first + at);
    keys[at] = select(${count}, own, own >= 0 && own < ${count});
  }
  workgroupBarrier();
  for (var at = thread; at < length; at += ${THREADS}u) {
    let key = keys[at];
    var before = 0u;
    for (var other = 0u; other < length; other++) {
      if (keys[other] < key || (keys[other] == key && other < at)) { before++; }
    }
    let i = first + at;
    let to = first + before;
${written.text()}
  }`
  return { label: `SortBlocks ${size}`, ...shader.kernel(main, THREADS), workgroups }
}

/**
 * Places of ids in rising order of the ids, and where those of each id begin: what an id finds below it in each of the sorted
 * blocks, added up.
 */
export function order(shader: Shader): Kernel {
  const { operation } = shader.step
  const [sorted, from] = [inputOf(operation, 'sorted'), inputOf(operation, 'from')]
  const [starts, places] = operation.outputs as [Use, Use]
  const [size, edges] = [sizeOf(sorted), sizeOf(starts)]
  const reader = (name: string, use: Use) => {
    const body = shader.body()
    const code = shader.read(body, use, whole({ name: 'i', size }))
    shader.add(`fn ${name}(i: u32) -> i32 {\n${body.text()}\n  return ${code};\n}`)
  }
  reader('key', sorted)
  reader('place', from)
  shader.add(`fn below(block: u32, edge: i32) -> u32 {
  let first = block * ${BLOCK}u;
  var low = first;
  var high = min(first + ${BLOCK}u, ${size}u);
  while (low < high) {
    let middle = (low + high) / 2u;
    if (key(middle) < edge) { low = middle + 1u; } else { high = middle; }
  }
  return low - first;
}`)
  const start = shader.body()
  shader.write(start, starts, whole({ name: 't', size: edges }), 'i32(before)')
  const placed = shader.body()
  shader.write(placed, places, number('to', size), 'place(t)')
  const blocks = Math.ceil(size / BLOCK)
  const { workgroups, number: group } = grid(Math.ceil(Math.max(size, edges) / THREADS))
  const main = `  let t = ${group} * ${THREADS}u + thread;
  if (t < ${edges}u) {
    var before = 0u;
    for (var block = 0u; block < ${blocks}u; block++) { before += below(block, i32(t)); }
${start.text()}
  }
  if (t < ${size}u) {
    let own = t / ${BLOCK}u;
    var to = t % ${BLOCK}u;
    for (var block = 0u; block < ${blocks}u; block++) {
      if (block != own) { to += below(block, key(t) + select(0, 1, block < own)); }
    }
${placed.text()}
  }`
  return { label: `Order ${size}`, ...shader.kernel(main, THREADS), workgroups }
}

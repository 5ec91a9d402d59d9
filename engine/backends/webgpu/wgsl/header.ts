import type { Pages } from '../pages.ts'
import { MAX_PLACES } from './shader.ts'

/** Where the pages of floats are bound, after integers, the uniforms of a dispatch, and those of a step. */
export const FIRST_PAGE = 3

/** Lines of four numbers that the uniforms of a step have at most, of a lane and of all: every card lets a shader see 64 KiB. */
const [MOST_LINES, ALL_LINES] = [1024, 4096]

/** The lines of uniforms of a step that each of so many lanes has. */
export function linesOf(lanes: number): number {
  return Math.min(MOST_LINES, Math.floor(ALL_LINES / lanes))
}

/**
 * What stands before every shader: integers, the uniforms of a dispatch, those of a step (`writeUniforms` in installed.ts), and
 * how they are reached. `load` and `store` take the number of a float in the memory of a plan, in whichever page it is. The lanes
 * of a program, plans that differ in their numbers alone, lie in all memories one after the other; each has workgroups of
 * its own, and nothing behind this header knows of the others.
 */
export function header(pages: Pages, lanes = 1): string {
  const all = Array.from({ length: pages.seen }, (_, page) => page)
  const [float, int, line] = lanes === 1 ? ['at', 'at', 'at'] : ['lane.x + at', 'lane.y + at', 'lane.z + at']
  const inPage = (statement: (element: string) => string) => {
    if (pages.seen === 1) return statement(`page0[${float}]`)
    const cases = all.map((page) => {
      const name = page === pages.seen - 1 ? 'default' : `case ${page}u`
      return `    ${name}: { ${statement(`page${page}[i]`)} }`
    })
    return `\n  let i = (${float}) & ${pages.elements - 1}u;\n  switch (${float}) >> ${Math.log2(pages.elements)}u {\n${cases.join('\n')}\n  }\n`
  }
  return `@group(0) @binding(0) var<storage, read_write> ints: array<i32>;
@group(0) @binding(1) var<uniform> places: array<vec4u, ${MAX_PLACES / 4}>;
@group(0) @binding(2) var<uniform> steps: array<vec4u, ${lanes * linesOf(lanes)}>;
${all.map((page) => `@group(0) @binding(${FIRST_PAGE + page}) var<storage, read_write> page${page}: array<f32>;`).join('\n')}
${lanes === 1 ? 'fn inLane(id: vec3u) -> vec3u { return id; }' : inLane(lanes)}
fn load(at: u32) -> f32 { ${inPage((element) => `return ${element};`)} }
fn store(at: u32, x: f32) { ${inPage((element) => `${element} = x;`)} }
fn loadInt(at: u32) -> i32 { return ints[${int}]; }
fn storeInt(at: u32, x: i32) { ints[${int}] = x; }
fn ofStep(at: u32) -> vec4u { return steps[${line}]; }
`
}

/** The workgroup within its lane; before that one lie so many floats, integers and uniforms of others. */
function inLane(lanes: number): string {
  return `var<private> lane: vec3u;
fn inLane(id: vec3u) -> vec3u {
  lane = (id.z % ${lanes}u) * vec3u(steps[0].w, steps[1].w, ${linesOf(lanes)}u);
  return vec3u(id.xy, id.z / ${lanes}u);
}`
}

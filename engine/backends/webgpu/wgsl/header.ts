import type { Pages } from '../pages.ts'
import { MAX_PLACES } from './shader.ts'

/** Where the pages of floats are bound, after integers, the uniforms of a dispatch, and those of a step. */
export const FIRST_PAGE = 3

/**
 * What stands before every shader: integers, the uniforms of a dispatch, those of a step (`writeUniforms` in installed.ts), and
 * `load` and `store` of a float by its number in the memory of a plan, in whichever page it is.
 */
export function header(pages: Pages): string {
  const all = Array.from({ length: pages.seen }, (_, page) => page)
  const inPage = (statement: (element: string) => string) => {
    if (pages.seen === 1) return statement('page0[at]')
    const cases = all.map((page) => {
      const name = page === pages.seen - 1 ? 'default' : `case ${page}u`
      return `    ${name}: { ${statement(`page${page}[i]`)} }`
    })
    return `\n  let i = at & ${pages.elements - 1}u;\n  switch at >> ${Math.log2(pages.elements)}u {\n${cases.join('\n')}\n  }\n`
  }
  return `@group(0) @binding(0) var<storage, read_write> ints: array<i32>;
@group(0) @binding(1) var<uniform> places: array<vec4u, ${MAX_PLACES / 4}>;
@group(0) @binding(2) var<uniform> draws: array<vec4u, 1024>;
${all.map((page) => `@group(0) @binding(${FIRST_PAGE + page}) var<storage, read_write> page${page}: array<f32>;`).join('\n')}
fn load(at: u32) -> f32 { ${inPage((element) => `return ${element};`)} }
fn store(at: u32, x: f32) { ${inPage((element) => `${element} = x;`)} }
`
}

import { sizeOf, type Use } from '../../../compile/graph.ts'
import { inputOf, outputOf } from '../lower/operations.ts'
import { type Index, number, plus, scaled, whole } from './digits.ts'
import { grid, type Kernel, type Workgroups } from './dispatch.ts'
import type { Register, Shader } from './shader.ts'

const THREADS = 256
/** Rows up to so many elements for each thread are kept in registers. */
const KEPT = 16

/** How the threads of a workgroup lie over rows: `lanes` side by side in each. */
interface Layout {
  rows: number
  dim: number
  lanes: number
  /** Elements of a row for each thread. */
  each: number
}

function layoutOf(use: Use): Layout {
  const dim = use.shape.at(-1) ?? 1
  const rows = sizeOf(use) / dim
  const lanes = Math.min(THREADS, 2 ** Math.ceil(Math.log2(Math.max(1, dim >= 1024 ? dim : dim / 4))))
  return { rows, dim, lanes, each: Math.ceil(dim / lanes) }
}

const REDUCE = (lanes: number, name: string, operation: string) => `fn ${name}(thread: u32, x: f32) -> f32 {
  pool[thread] = x;
  workgroupBarrier();
  for (var half = ${Math.floor(lanes / 2)}u; half > 0u; half /= 2u) {
    if (thread % ${lanes}u < half) { pool[thread] = ${operation}; }
    workgroupBarrier();
  }
  let result = pool[thread - thread % ${lanes}u];
  workgroupBarrier();
  return result;
}`

/** Of an element of the row of a thread. */
const at = ({ rows, dim }: Layout): Index =>
  plus(scaled(whole({ name: 'row', size: rows }), dim), whole({ name: 'column', size: dim }))

/** The function `name(row, column)` that reads an input. */
function reader(shader: Shader, name: string, use: Use, index: Index): void {
  const body = shader.body()
  const code = shader.read(body, use, index)
  shader.add(`fn ${name}(row: u32, column: u32) -> f32 {\n${body.text()}\n  return ${code};\n}`)
}

/** The function for a finished element `x` of a row; `more` writes what else there is. */
function finisher(shader: Shader, outputs: [Use, Register][], parameters: string, more = ''): void {
  const body = shader.body()
  shader.finish(body, new Map(outputs.map(([use, register]) => [use.value, register])))
  shader.add(`fn finish(row: u32, column: u32, ${parameters}) {\n${body.text()}\n${more}}`)
}

function loop({ dim, lanes, each }: Layout, code: string, indent = '  '): string {
  const guard = each * lanes > dim ? [`if (column < ${dim}u) { ${code} }`] : [code]
  return [
    `${indent}for (var j = 0u; j < ${each}u; j++) {`,
    `${indent}  let column = thread % ${lanes}u + j * ${lanes}u;`,
    ...guard.map((line) => `${indent}  ${line}`),
    `${indent}}`,
  ].join('\n')
}

/** Where a thread is, in a grid of workgroups that have some rows each. */
function start({ rows, lanes }: Layout): { code: string; workgroups: Workgroups } {
  const perGroup = THREADS / lanes
  const { workgroups, number } = grid(Math.ceil(rows / perGroup))
  const own = `${number} * ${perGroup}u + thread / ${lanes}u`
  return {
    code: `  let own = ${own};\n  let row = min(own, ${rows - 1}u);\n  let isLive = own < ${rows}u;`,
    workgroups,
  }
}

/** Rows of `x` in registers where they fit, else read anew each time. */
function keeping(layout: Layout): { declare: string; get: string } {
  if (layout.each > KEPT) return { declare: '', get: 'x(row, column)' }
  return {
    declare: `  var kept: array<f32, ${layout.each}>;\n${loop(layout, 'kept[j] = x(row, column);')}`,
    get: 'kept[j]',
  }
}

function begin(shader: Shader, layout: Layout): void {
  shader.add(`var<workgroup> pool: array<f32, ${THREADS}>;`)
  shader.add(REDUCE(layout.lanes, 'sumOfRow', 'pool[thread] + pool[thread + half]'))
  shader.add(REDUCE(layout.lanes, 'largestOfRow', 'max(pool[thread], pool[thread + half])'))
}

function dispatch(shader: Shader, layout: Layout, main: string, workgroups: Workgroups): Kernel {
  const label = `${shader.step.operation.kernel} ${layout.rows}x${layout.dim}`
  return { label, ...shader.kernel(main, THREADS), workgroups }
}

/** Rows less their mean over their deviation, and 1 over the deviation, `[..., 1]`. */
export function normRows(shader: Shader): Kernel {
  const { operation, stores } = shader.step
  const x = inputOf(operation, 'x')
  const layout = layoutOf(x)
  const [value, scale] = operation.outputs as [Use, Use]
  begin(shader, layout)
  reader(shader, 'x', x, at(layout))
  const body = shader.body()
  if (stores.has(scale.value)) shader.write(body, scale, whole({ name: 'row', size: layout.rows }), 'scale')
  const more = stores.has(scale.value) ? `  if (column == 0u) {\n${body.text()}\n  }\n` : ''
  finisher(shader, [[value, { code: 'x', index: at(layout) }]], 'x: f32, scale: f32', more)
  const { code, workgroups } = start(layout)
  const { declare, get } = keeping(layout)
  const main = `${code}
${declare}
  var sum = 0.0f;
${loop(layout, `sum += ${get};`)}
  let mean = sumOfRow(thread, sum) / ${layout.dim}.0f;
  var squares = 0.0f;
${loop(layout, `squares += (${get} - mean) * (${get} - mean);`)}
  let variance = sumOfRow(thread, squares) / ${layout.dim}.0f;
  let scale = 1.0f / sqrt(variance + ${(operation.attributes.eps as number).toExponential()}f);
  if (isLive) {
${loop(layout, `finish(row, column, (${get} - mean) * scale, scale);`, '    ')}
  }`
  return dispatch(shader, layout, main, workgroups)
}

/** Softmax or its logarithm along rows. */
export function softmax(shader: Shader): Kernel {
  const { operation } = shader.step
  const x = inputOf(operation, 'logits')
  const layout = layoutOf(x)
  begin(shader, layout)
  reader(shader, 'x', x, at(layout))
  finisher(shader, [[outputOf(operation), { code: 'x', index: at(layout) }]], 'x: f32')
  const { code, workgroups } = start(layout)
  const { declare, get } = keeping(layout)
  const value = operation.kernel === 'Softmax' ? `exp(${get} - most) / total` : `${get} - most - log(total)`
  const main = `${code}
${declare}
${normaliser(layout, get)}
  if (isLive) {
${loop(layout, `finish(row, column, ${value});`, '    ')}
  }`
  return dispatch(shader, layout, main, workgroups)
}

function normaliser(layout: Layout, get: string): string {
  return `  var own_most = -3.4028234e38f;
${loop(layout, `own_most = max(own_most, ${get});`)}
  let most = largestOfRow(thread, own_most);
  var sum = 0.0f;
${loop(layout, `sum += exp(${get} - most);`)}
  let total = sumOfRow(thread, sum);`
}

/** The loss of each row of logits with its label, and log sum exp; 0 for a label that is no class. */
export function crossEntropy(shader: Shader): Kernel {
  const { operation } = shader.step
  const [x, labels] = [inputOf(operation, 'logits'), inputOf(operation, 'labels')]
  const layout = layoutOf(x)
  const row = whole({ name: 'row', size: layout.rows })
  begin(shader, layout)
  reader(shader, 'x', x, at(layout))
  const body = shader.body()
  const label = shader.read(body, labels, row)
  shader.add(`fn label(row: u32) -> i32 {\n${body.text()}\n  return ${label};\n}`)
  const [loss, scale] = operation.outputs as [Use, Use]
  const outputs: [Use, Register][] = [
    [loss, { code: 'loss', index: row }],
    [scale, { code: 'scale', index: row }],
  ]
  finisher(shader, outputs, 'loss: f32, scale: f32')
  const { code, workgroups } = start(layout)
  const { declare, get } = keeping(layout)
  const main = `${code}
${declare}
${normaliser(layout, get)}
  if (isLive && thread % ${layout.lanes}u == 0u) {
    let scale = most + log(total);
    let own_label = label(row);
    var loss = 0.0f;
    if (own_label >= 0 && own_label < ${layout.dim}) { loss = scale - x(row, u32(own_label)); }
    finish(row, 0u, loss, scale);
  }`
  return dispatch(shader, layout, main, workgroups)
}

/** The gradient of a LayerNorm by its rows, and the sums over rows of those by weight and bias, in parts. */
export function normGrad(shader: Shader): Kernel {
  const { operation, stores } = shader.step
  const [dy, value, scale, weight] = ['dy', 'value', 'scale', 'weight'].map((name) => inputOf(operation, name)) as [
    Use,
    Use,
    Use,
    Use,
  ]
  const [dx, weights, biases] = operation.outputs as [Use, Use, Use]
  const layout = layoutOf(dy)
  const { rows, dim, lanes, each } = layout
  const parts = operation.attributes.parts as number
  const perPart = Math.ceil(rows / parts)
  const side = THREADS / lanes
  begin(shader, layout)
  reader(shader, 'slope', dy, at(layout))
  reader(shader, 'normal', value, at(layout))
  reader(shader, 'scaleOf', scale, whole({ name: 'row', size: rows }))
  reader(shader, 'weightOf', weight, whole({ name: 'column', size: dim }))
  finisher(shader, [[dx, { code: 'x', index: at(layout) }]], 'x: f32')
  const { workgroups, number: part } = grid(parts)
  const sums = (output: Use, name: string) => {
    if (!stores.has(output.value)) return ''
    const body = shader.body()
    shader.write(body, output, plus(scaled(number('part', parts), dim), whole({ name: 'column', size: dim })), 'total')
    const code = `pool[thread] = ${name}[j];
    workgroupBarrier();
    if (thread < ${lanes}u && column < ${dim}u) {
      var total = 0.0f;
      for (var i = 0u; i < ${side}u; i++) { total += pool[i * ${lanes}u + thread]; }
${body.text()}
    }
    workgroupBarrier();`
    return `  for (var j = 0u; j < ${each}u; j++) {\n    let column = thread % ${lanes}u + j * ${lanes}u;\n    ${code}\n  }`
  }
  const main = `  let part = ${part};
  var ofWeights: array<f32, ${each}>;
  var ofBiases: array<f32, ${each}>;
  for (var first = 0u; first < ${perPart}u; first += ${side}u) {
    let inPart = first + thread / ${lanes}u;
    let own = part * ${perPart}u + inPart;
    let isLive = inPart < ${perPart}u && own < ${rows}u;
    let row = min(own, ${rows - 1}u);
    var along = 0.0f;
    var sum = 0.0f;
${loop(layout, 'let d = slope(row, column) * weightOf(row, column); sum += d; along += d * normal(row, column);', '    ')}
    let mean = sumOfRow(thread, sum) / ${dim}.0f;
    let share = sumOfRow(thread, along) / ${dim}.0f;
    if (isLive) {
      let scale = scaleOf(row, 0u);
${loop(
  layout,
  'let dy = slope(row, column); let y = normal(row, column); ofWeights[j] += dy * y; ofBiases[j] += dy; finish(row, column, (dy * weightOf(row, column) - mean - y * share) * scale);',
  '      ',
)}
    }
  }
${sums(weights, 'ofWeights')}
${sums(biases, 'ofBiases')}`
  return dispatch(shader, layout, main, workgroups)
}

export const rowKernels: Record<string, (shader: Shader) => Kernel> = {
  NormRows: normRows,
  NormGrad: normGrad,
  Softmax: softmax,
  LogSoftmax: softmax,
  CrossEntropy: crossEntropy,
}

import type { Update } from '../../../compile/training.ts'
import { literal } from '../lower/maps.ts'
import { LINE_OF, type LineShader } from '../tables.ts'
import { entry } from '../wgsl/entry.ts'
import { BLOCK, LINE, needsNorm, THREADS } from './lines.ts'

/**
 * The dispatches that change all parameters, in `lines` blocks of a table. Beside those they use the places of the sums of squares by
 * line (of gradients, of parameters, of updates), and of the global norm.
 */
export function updates(update: Update, lines: number): LineShader[] {
  const isLamb = update.kernel === 'LambUpdate'
  return [
    ...(needsNorm(update) ? [squares()] : []),
    ...(isLamb ? [changes(update, lines), ratios(update, lines)] : [changes(update, lines)]),
  ]
}

const PLACES = `${LINE_OF}
  let squares = places[1].x; let norm = places[1].y;`

/** A shader of one workgroup for each line; `each` is done for each of its elements `i`. */
function overLines(label: string, before: string, each: string, after: string): LineShader {
  const code = `var<workgroup> pool: array<f32, ${THREADS}>;
fn sumOf(thread: u32, x: f32) -> f32 {
  pool[thread] = x;
  workgroupBarrier();
  for (var half = ${THREADS / 2}u; half > 0u; half /= 2u) {
    if (thread < half) { pool[thread] += pool[thread + half]; }
    workgroupBarrier();
  }
  let sum = pool[0];
  workgroupBarrier();
  return sum;
}
fn sumOfLines(thread: u32, first: u32, count: u32) -> f32 {
  var sum = 0.0f;
  for (var i = thread; i < count; i += ${THREADS}u) { sum += load(first + i); }
  return sumOf(thread, sum);
}
${entry(
  THREADS,
  `  ${PLACES}
  let own = before + number;
  let isLine = number < lines;
  let at = table + min(number, lines - 1u) * ${LINE}u;
  let value = u32(loadInt(at)); let first = u32(loadInt(at + 1u)); let second = u32(loadInt(at + 2u));
  let average = u32(loadInt(at + 3u)); let gradient = u32(loadInt(at + 4u)); let size = u32(loadInt(at + 5u));
  let start = u32(loadInt(at + 6u)); let flags = loadInt(at + 7u); let share = bitcast<f32>(loadInt(at + 8u));
  let scratch = u32(loadInt(at + 11u)) - start;
  let rate = bitcast<f32>(ofStep(0u).x);
${before}
  for (var j = 0u; j < ${BLOCK / THREADS}u; j++) {
    let i = start + thread + j * ${THREADS}u;
    if (isLine && i < size) {
${each}
    }
  }
${after}`,
)}`
  return { label, code }
}

/** The sum of squares of the gradients of each block. */
function squares(): LineShader {
  const each = '      if ((flags & 1) != 0) { let g = load(gradient + i); sum += g * g; }'
  const after = `  let total = sumOf(thread, sum);
  if (thread == 0u && isLine) { store(squares + own, total); }`
  return overLines('squares of gradients', '  var sum = 0.0f;', each, after)
}

/** By what gradients are multiplied: for clipping, and for LAMB. */
function coefficient({ clip, kernel, options }: Update, lines: number): string {
  const most = kernel === 'LambUpdate' ? Number(options.maxGradNorm) : 0
  if (clip === 0 && most === 0) return '  let coefficient = 1.0f;'
  const clipped = clip > 0 ? `min(1.0f, ${literal(clip)} / (norm_of_all + 1e-6f))` : '1.0f'
  const limited = most > 0 ? `clipped / max(1.0f, clipped * norm_of_all / ${literal(most)})` : 'clipped'
  return `  let norm_of_all = sqrt(sumOfLines(thread, squares, ${lines}u));
  if (thread == 0u && own == 0u && isLine) { store(norm, norm_of_all); }
  let clipped = ${clipped};
  let coefficient = ${limited};`
}

/** The moments, and the update without the learning rate, as `adam`. */
function adam({ beta1, beta2, eps }: Update['options']): string {
  const [one, two] = [Number(beta1), Number(beta2)]
  return `        let m = load(first + i) * ${literal(one)} + g * ${literal(1 - one)};
        let v = load(second + i) * ${literal(two)} + g * g * ${literal(1 - two)};
        store(first + i, m);
        store(second + i, v);
        let adam = m * bitcast<f32>(ofStep(0u).y) / (sqrt(v * bitcast<f32>(ofStep(0u).z)) + ${literal(Number(eps))});`
}

const CHANGES: Record<Update['kernel'], (options: Update['options']) => string> = {
  AdamWUpdate: (options) => `${adam(options)}
        let kept = select(p, p * (1.0f - rate * ${literal(Number(options.weightDecay))}), (flags & 2) != 0);
        let changed = kept - rate * adam;`,
  SgdUpdate: ({ momentum, nesterov, weightDecay }) => `
        let whole = select(g, g + p * ${literal(Number(weightDecay))}, (flags & 2) != 0);
        let buffer = load(first + i) * ${literal(Number(momentum))} + whole;
        store(first + i, buffer);
        let changed = p - rate * ${nesterov ? `(whole + buffer * ${literal(Number(momentum))})` : 'buffer'};`,
  // only the update; what it is multiplied by depends on all of it
  LambUpdate: (options) => `${adam(options)}
        let change = select(adam, adam + p * ${literal(Number(options.weightDecay))}, (flags & 2) != 0);
        store(scratch + i, change);
        of_values += p * p;
        of_changes += change * change;`,
}

function averaging({ average }: Update): string {
  if (average === null) return ''
  const kept = average === 'by step' ? 'bitcast<f32>(ofStep(0u).w)' : literal(average)
  const taken = average === 'by step' ? `(1.0f - ${kept})` : literal(1 - average)
  return `      store(average + i, load(average + i) * ${kept} + p * ${taken});`
}

/** The share is 1 but for decay by layer. */
const WRITE = `        p = select(p + (changed - p) * share, changed, share == 1.0f);
        store(value + i, p);`

function changes(update: Update, lines: number): LineShader {
  const isLamb = update.kernel === 'LambUpdate'
  const before = `${coefficient(update, lines)}
  var of_values = 0.0f;
  var of_changes = 0.0f;`
  const each = `      var p = load(value + i);
      if ((flags & 1) != 0) {
        let g = load(gradient + i) * coefficient;
${CHANGES[update.kernel](update.options)}
${isLamb ? '' : WRITE}
      }
${isLamb ? '' : averaging(update)}`
  const after = isLamb
    ? `  let values = sumOf(thread, of_values);
  let all_changes = sumOf(thread, of_changes);
  if (thread == 0u && isLine) {
    store(squares + ${lines}u + own, values);
    store(squares + ${2 * lines}u + own, all_changes);
  }`
    : ''
  return overLines(update.kernel, before, each, after)
}

/** The second half of LAMB: each parameter goes along its update as far as the norms of both say. */
function ratios(update: Update, lines: number): LineShader {
  const has = Number(update.options.weightDecay) > 0
  const before = `  let begin = u32(loadInt(at + 9u));
  let count = u32(loadInt(at + 10u));
  let values = sqrt(sumOfLines(thread, squares + ${lines}u + begin, count));
  let all_changes = sqrt(sumOfLines(thread, squares + ${2 * lines}u + begin, count));
  var ratio = 1.0f;
  if (${has} && (flags & 2) != 0 && min(values, all_changes) > 0.0f) { ratio = values / all_changes; }`
  const each = `      var p = load(value + i);
      if ((flags & 1) != 0) {
        let changed = p - load(scratch + i) * (ratio * rate);
${WRITE}
      }
${averaging(update)}`
  return overLines('LambUpdate by ratio', before, each, '')
}

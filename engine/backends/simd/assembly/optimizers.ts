// Kernels on one row of a table; see tableParts.ts. None multiplies and adds at once, so that each element comes out
// as from operations one by one. Lanes behind the last element are padding: every block of the heap has whole vectors.
const LANES = i32x4(0, 1, 2, 3)

/** A row: where four columns begin, the elements, a factor, and two float64 that are results or further factors. */
const SECOND: usize = 4
const THIRD: usize = 8
const FOURTH: usize = 12
const ELEMENTS: usize = 16
const FACTOR: usize = 20
const FIRST_SUM: usize = 24
const SECOND_SUM: usize = 32

/** Bytes of a row. */
export const ROW: usize = 40

/** Scalar number `i` of the table in each lane. */
@inline
function scalar4(scalars: usize, i: usize): v128 {
  return v128.load32_splat(scalars + (i << 2))
}

/** Bytes of the elements of a row in whole vectors. */
@inline
function wholeVectors(row: usize): usize {
  return ((load<u32>(row, ELEMENTS) + 3) & ~3) << 2
}

/** All ones in the lanes that are elements of the row, for the vector at byte `i`. */
@inline
function within4(row: usize, i: usize): v128 {
  return i32x4.gt_s(i32x4.splat(load<i32>(row, ELEMENTS) - <i32>(i >> 2)), LANES)
}

/** x x of the low and of the high lanes, in double precision. */
@inline
function squares2(x: v128): v128 {
  const low = f64x2.promote_low_f32x4(x)
  const high = f64x2.promote_low_f32x4(v128.shuffle<i32>(x, x, 2, 3, 0, 1))
  return f64x2.add(f64x2.mul(low, low), f64x2.mul(high, high))
}

@inline
function storeSum(row: usize, place: usize, sum: v128): void {
  store<f64>(row + place, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1))
}

/** Columns: x. Its sum of squares. */
export function squares(row: usize, scalars: usize): void {
  const x = load<usize>(row)
  const end = wholeVectors(row)
  let sum = f64x2.splat(0)
  for (let i: usize = 0; i < end; i += 16) {
    sum = f64x2.add(sum, squares2(v128.and(v128.load(x + i), within4(row, i))))
  }
  storeSum(row, FIRST_SUM, sum)
}

/** Columns: x, out. Scalars: factor. out = x factor. */
export function scale(row: usize, scalars: usize): void {
  const x = load<usize>(row)
  const out = load<usize>(row, SECOND)
  const end = wholeVectors(row)
  const factor = scalar4(scalars, 0)
  for (let i: usize = 0; i < end; i += 16) v128.store(out + i, f32x4.mul(v128.load(x + i), factor))
}

/** Columns: x, average. Scalars: decay, 1 - decay. average = average decay + x (1 - decay). */
export function average(row: usize, scalars: usize): void {
  const x = load<usize>(row)
  const out = load<usize>(row, SECOND)
  const end = wholeVectors(row)
  const decay = scalar4(scalars, 0)
  const rest = scalar4(scalars, 1)
  for (let i: usize = 0; i < end; i += 16) {
    const old = f32x4.mul(v128.load(out + i), decay)
    v128.store(out + i, f32x4.add(old, f32x4.mul(v128.load(x + i), rest)))
  }
}

/** Columns: gradient, parameter, buffer; factor: weight decay. Scalars: learning rate, momentum, 1 for Nesterov. */
export function sgd(row: usize, scalars: usize): void {
  const gradient = load<usize>(row)
  const parameter = load<usize>(row, SECOND)
  const buffer = load<usize>(row, THIRD)
  const end = wholeVectors(row)
  const decay = load<f32>(row, FACTOR)
  const decay4 = f32x4.splat(decay)
  const rate = scalar4(scalars, 0)
  const momentum = scalar4(scalars, 1)
  const nesterov = load<f32>(scalars, 8) == 1
  for (let i: usize = 0; i < end; i += 16) {
    const value = v128.load(parameter + i)
    let g = v128.load(gradient + i)
    if (decay != 0) g = f32x4.add(g, f32x4.mul(value, decay4))
    const run = f32x4.add(f32x4.mul(v128.load(buffer + i), momentum), g)
    v128.store(buffer + i, run)
    const direction = nesterov ? f32x4.add(g, f32x4.mul(run, momentum)) : run
    v128.store(parameter + i, f32x4.sub(value, f32x4.mul(direction, rate)))
  }
}

/** mean / (sqrt(square) + eps), both bias-corrected. Scalars 4 to 6: what corrects the mean and the square, and eps. */
@inline
function adam4(mean: v128, square: v128, scalars: usize): v128 {
  const root = f32x4.sqrt(f32x4.mul(square, scalar4(scalars, 5)))
  return f32x4.div(f32x4.mul(mean, scalar4(scalars, 4)), f32x4.add(root, scalar4(scalars, 6)))
}

/** Takes the gradient into the moments and gives `adam4` of them. Scalars 0 to 3: beta1, 1 - beta1, beta2, 1 - beta2. */
@inline
function moments4(gradient: v128, mean: usize, square: usize, scalars: usize): v128 {
  const m = f32x4.add(f32x4.mul(v128.load(mean), scalar4(scalars, 0)), f32x4.mul(gradient, scalar4(scalars, 1)))
  const squared = f32x4.mul(gradient, gradient)
  const s = f32x4.add(f32x4.mul(v128.load(square), scalar4(scalars, 2)), f32x4.mul(squared, scalar4(scalars, 3)))
  v128.store(mean, m)
  v128.store(square, s)
  return adam4(m, s, scalars)
}

/** Columns: gradient, parameter, mean, square; factor: what the parameter is multiplied by first. */
export function adamw(row: usize, scalars: usize): void {
  const gradient = load<usize>(row)
  const parameter = load<usize>(row, SECOND)
  const mean = load<usize>(row, THIRD)
  const square = load<usize>(row, FOURTH)
  const end = wholeVectors(row)
  const factor = v128.load32_splat(row + FACTOR)
  for (let i: usize = 0; i < end; i += 16) {
    const update = moments4(v128.load(gradient + i), mean + i, square + i, scalars)
    v128.store(parameter + i, f32x4.sub(f32x4.mul(v128.load(parameter + i), factor), update))
  }
}

/**
 * The first half of LAMB. Columns as `adamw`, factor: weight decay. Scalar 7: what gradients are divided by. With weight
 * decay also the sums of squares of parameter and update.
 */
export function lambMoments(row: usize, scalars: usize): void {
  const gradient = load<usize>(row)
  const parameter = load<usize>(row, SECOND)
  const mean = load<usize>(row, THIRD)
  const square = load<usize>(row, FOURTH)
  const end = wholeVectors(row)
  const decay = load<f32>(row, FACTOR)
  const decay4 = f32x4.splat(decay)
  const divisor = scalar4(scalars, 7)
  let parameterSum = f64x2.splat(0)
  let updateSum = parameterSum
  for (let i: usize = 0; i < end; i += 16) {
    let update = moments4(f32x4.div(v128.load(gradient + i), divisor), mean + i, square + i, scalars)
    if (decay != 0) {
      const value = v128.load(parameter + i)
      const within = within4(row, i)
      update = f32x4.add(update, f32x4.mul(value, decay4))
      parameterSum = f64x2.add(parameterSum, squares2(v128.and(value, within)))
      updateSum = f64x2.add(updateSum, squares2(v128.and(update, within)))
    }
  }
  storeSum(row, FIRST_SUM, parameterSum)
  storeSum(row, SECOND_SUM, updateSum)
}

/** The second half: the update once more, and the step along it. Where the first sum was is how far. */
export function lambStep(row: usize, scalars: usize): void {
  const parameter = load<usize>(row, SECOND)
  const mean = load<usize>(row, THIRD)
  const square = load<usize>(row, FOURTH)
  const end = wholeVectors(row)
  const decay = load<f32>(row, FACTOR)
  const decay4 = f32x4.splat(decay)
  const rate = f32x4.splat(<f32>load<f64>(row, FIRST_SUM))
  for (let i: usize = 0; i < end; i += 16) {
    const value = v128.load(parameter + i)
    let update = adam4(v128.load(mean + i), v128.load(square + i), scalars)
    if (decay != 0) update = f32x4.add(update, f32x4.mul(value, decay4))
    v128.store(parameter + i, f32x4.sub(value, f32x4.mul(update, rate)))
  }
}

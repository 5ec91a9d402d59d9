/** An axis of a loop: how many indices, and for each operand the elements from one index to the next. */
export interface LoopAxis {
  size: number
  steps: number[]
}

/** Axes of a loop inside WebAssembly. */
const INSIDE = 4

/** The same loop, outermost axis first, in as few axes as possible. */
export function collapse(axes: LoopAxis[]): LoopAxis[] {
  const kept: LoopAxis[] = []
  for (const axis of axes) {
    if (axis.size === 1) continue
    const outer = kept.at(-1)
    if (outer?.steps.every((step, operand) => step === (axis.steps[operand] as number) * axis.size)) {
      outer.size *= axis.size
      outer.steps = axis.steps
    } else kept.push({ ...axis })
  }
  return kept
}

/**
 * Calls `body` with the offset of each operand and exactly `count` axes, once for each index of the axes before them.
 * Missing axes are of size 1, with step 0; those count as outermost.
 */
export function nest(axes: LoopAxis[], body: (offsets: number[], axes: LoopAxis[]) => void, count = INSIDE): void {
  const operands = axes[0]?.steps.length ?? 0
  const missing = Array.from({ length: Math.max(0, count - axes.length) }, () => ({
    size: 1,
    steps: Array<number>(operands).fill(0),
  }))
  const inside = [...missing, ...axes.slice(Math.max(0, axes.length - count))]
  const outside = axes.slice(0, Math.max(0, axes.length - count))
  const walk = (depth: number, offsets: number[]): void => {
    const axis = outside[depth]
    if (!axis) body(offsets, inside)
    for (let i = 0; axis && i < axis.size; i++) {
      walk(
        depth + 1,
        offsets.map((offset, operand) => offset + i * (axis.steps[operand] as number)),
      )
    }
  }
  walk(0, Array<number>(operands).fill(0))
}

/** Elements from one index to the next of each axis of an array without gaps. */
export function stridesOf(shape: number[]): number[] {
  const steps = Array<number>(shape.length).fill(1)
  for (let i = shape.length - 2; i >= 0; i--) steps[i] = (steps[i + 1] as number) * (shape[i + 1] as number)
  return steps
}

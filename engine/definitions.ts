/** The list for the code that runs now, while definitions are collected. */
let collected: object[] | null = null
const lists = new WeakMap<object, object[]>()

/** Notes a block or metric as it is defined. */
export function noteDefinition(value: object): void {
  if (!collected) return
  collected.push(value)
  lists.set(value, collected)
}

/** The blocks and metrics that the same evaluation of a cell has defined, the given one among them. */
export function definedWith(value: object): readonly object[] {
  return lists.get(value) ?? [value]
}

/** Runs the code of a cell and collects the blocks and metrics that it defines; one cell at a time. */
export async function collecting<Result>(run: () => Promise<Result>): Promise<Result> {
  const before = collected
  collected = []
  try {
    return await run()
  } finally {
    collected = before
  }
}

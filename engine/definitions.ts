/** The list of the code that runs now, if anybody collects. */
let defined: object[] | null = null

/** Notes a block or metric as it is defined. */
export function noteDefinition(value: object): void {
  defined?.push(value)
}

/** Runs code and adds the blocks and metrics that it defines to `into`; one code at a time. */
export async function collecting<Result>(into: object[], run: () => Promise<Result>): Promise<Result> {
  const before = defined
  defined = into
  try {
    return await run()
  } finally {
    defined = before
  }
}

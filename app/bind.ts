type Functions<First> = Record<string, (first: First, ...given: never[]) => unknown>

/** Functions without their first argument. */
export type Bound<Each> = {
  [Name in keyof Each]: Each[Name] extends (first: never, ...given: infer Given) => infer Answer
    ? (...given: Given) => Answer
    : never
}

/** Gives functions their first argument. `before` is done before each call. */
export function bind<First, Each extends Functions<First>>(
  functions: Each,
  first: First,
  before = () => {},
): Bound<Each> {
  const bound = Object.entries(functions).map(([name, each]) => {
    const made = (...given: never[]) => {
      before()
      return each(first, ...given)
    }
    return [name, made]
  })
  return Object.fromEntries(bound) as Bound<Each>
}

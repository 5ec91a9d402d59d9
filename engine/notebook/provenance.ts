/** Where a value comes from. */
export interface Provenance {
  /** The id of the cell that defined it. */
  cell: string
  /** What the cell calls it, or the list or plain object that has it; null for the value that ends the cell. */
  name: string | null
  /** That of the cell when it ran. */
  fingerprint: string
  /** The source of the cell and of all cells it depends on, in percent format. */
  code: string
  /** The same for all values of one evaluation. */
  evaluation?: object
}

const origins = new WeakMap<object, Provenance>()

/** Notes that an object or function was defined by a cell. The first note stays: a value keeps its origin. */
export function noteProvenance(value: unknown, provenance: Provenance): void {
  if (isReference(value) && !origins.has(value)) origins.set(value, provenance)
}

/** The cell that defined a value, if a cell did. */
export function provenanceOf(value: object): Provenance | undefined {
  return origins.get(value)
}

const lists = new WeakMap<object, Provenance>()

/** Notes that a cell gave the members of a list or a plain object, such as a list of studies. */
export function noteMembers(value: unknown, provenance: Provenance): void {
  const isPlain = isReference(value) && Object.getPrototypeOf(value) === Object.prototype
  const members: unknown[] = Array.isArray(value) ? value : isPlain ? Object.values(value) : []
  for (const each of members) if (isReference(each) && !lists.has(each)) lists.set(each, provenance)
}

/** The cell that gave a value, by itself or in a list. */
export function givenBy(value: object): Provenance | undefined {
  return origins.get(value) ?? lists.get(value)
}

/** Notes that a value, made of another one, is from where that is. */
export function copyProvenance(from: object, to: object): void {
  for (const known of [origins, lists]) {
    const provenance = known.get(from)
    if (provenance && !known.has(to)) known.set(to, provenance)
  }
}

/** Objects and functions: what has an identity. */
function isReference(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

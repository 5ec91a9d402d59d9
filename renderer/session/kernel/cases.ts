/** The addresses of the reference cases that come with the page, by name. */
const ADDRESSES = import.meta.glob<string>('../../../tests/golden/*.safetensors', {
  query: '?url',
  import: 'default',
  eager: true,
})

export interface ReferenceCase {
  name: string
  address: string
}

/** The reference cases by name, single operations first, for these are quick; tests and `mixlab conformance` know the same files. */
export const CASES: readonly ReferenceCase[] = Object.entries(ADDRESSES)
  .map(([path, address]) => ({ name: path.replace(/^.*\/|\.safetensors$/g, ''), address }))
  .sort((a, b) => Number(isOperation(b)) - Number(isOperation(a)) || (a.name < b.name ? -1 : 1))

function isOperation({ name }: ReferenceCase): boolean {
  return name.startsWith('op_')
}

/** The bytes of a case. Rejects where it cannot be loaded. */
export async function bytesOf({ name, address }: ReferenceCase): Promise<Uint8Array> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`)
  return new Uint8Array(await response.arrayBuffer())
}

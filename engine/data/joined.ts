/** The bytes of arrays, one array behind the other. */
export function joined(parts: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const { buffer, byteOffset, byteLength } of parts) {
    all.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += byteLength
  }
  return all
}

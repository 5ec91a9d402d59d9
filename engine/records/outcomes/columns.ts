import { unzlibSync, zlibSync } from 'fflate'
import { MixlabError } from '../../errors.ts'

/** Columns of whole numbers from 0 to 65535, all of one length, and what is said of them as plain JSON. */
export interface Columns {
  head: unknown
  columns: Uint16Array[]
}

/** Bytes of the length of the JSON in front. */
const PREFIX = 4
const VERSION = 1

/** Tables as compressed bytes. The lower bytes of a column stand together, and the upper ones: alike bytes take less room. */
export function packColumns(tables: readonly Columns[]): Uint8Array {
  const heads = tables.map(({ head, columns }) => ({ head, columns: columns.length, rows: columns[0]?.length ?? 0 }))
  const json = new TextEncoder().encode(JSON.stringify({ version: VERSION, tables: heads }))
  const planes = tables.flatMap(({ columns }) =>
    columns.flatMap((column) => [Uint8Array.from(column), Uint8Array.from(column, (value) => value >> 8)]),
  )
  const prefix = new Uint8Array(PREFIX)
  new DataView(prefix.buffer).setUint32(0, json.length, true)
  return zlibSync(joined([prefix, json, ...planes]), { level: 9 })
}

/** The tables in bytes of `packColumns`. Throws MixlabError `store` for others; `name` says whose they are. */
export function unpackColumns(packed: Uint8Array, name: string): Columns[] {
  try {
    const bytes = unzlibSync(packed)
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(PREFIX, PREFIX + length)))
    const { version, tables } = json as { version: number; tables: { head: unknown; columns: number; rows: number }[] }
    if (version !== VERSION) throw new RangeError(`version ${version}`)
    let at = PREFIX + length
    return tables.map(({ head, columns, rows }) => ({
      head,
      columns: Array.from({ length: columns }, () => {
        const [low, high] = [bytes.subarray(at, at + rows), bytes.subarray(at + rows, at + 2 * rows)]
        at += 2 * rows
        if (high.length !== rows) throw new RangeError('too short')
        return Uint16Array.from(low, (value, i) => value + 256 * (high[i] as number))
      }),
    }))
  } catch {
    throw new MixlabError('store', name, 'its outcomes of examples cannot be read; evaluate them again')
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const tables = new Map<string, Int32Array | Float32Array>()

/** A table that depends on sizes alone, made once for each `key`: every layer asks for it in every pass. */
export function memoizedTable<Table extends Int32Array | Float32Array>(key: string, make: () => Table): Table {
  const table = (tables.get(key) as Table | undefined) ?? make()
  tables.set(key, table)
  return table
}

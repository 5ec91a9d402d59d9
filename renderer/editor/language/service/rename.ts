import type { Rename, TextRange } from '../protocol.ts'
import type { CellFile, Files } from './files.ts'
import { namesInText } from './names.ts'

/** The name at an offset, if it can be renamed. */
export function renameable(files: Files, key: string, offset: number): TextRange | null {
  const cell = files.cell(key)
  const at = cell && files.service.getQuickInfoAtPosition(cell.path, cell.prelude.length + offset)?.textSpan
  if (!at || !files.service.getRenameInfo(cell.path, at.start, {}).canRename) return null
  return files.placeOf(cell.path, at)
}

/** Renames what stands at an offset: a name that cells share in all of them, anything else in its own cell. */
export function rename(files: Files, key: string, offset: number, name: string): Rename {
  const cell = files.cell(key)
  const at = renameable(files, key, offset)
  if (!cell || !at) return { refused: 'only a name that a cell defines can be renamed' }
  const old = cell.source.slice(at.start, at.end)
  if (!namesInText(`const ${name} = 0`).defines.has(name)) return { refused: `'${name}' is not a name` }

  const here = locations(files, cell, at.start)
  const definition = cell.defines.get(old)
  const shared = here?.some((each) => each.key === key && (each.start < 0 || each.start === definition))
  if (shared && files.definer(name)) return { refused: `'${name}' is defined in a cell already` }
  const others = shared ? othersWith(files, cell, old) : []
  const all = [here, ...others.map((other) => locations(files, other, nameIn(other, old)))]
  if (all.includes(null)) return { refused: `'${old}' is not defined in this notebook` }
  const places = new Map(all.flatMap((found) => found ?? []).map((each) => [`${each.key} ${each.start}`, each]))
  const inTexts = [...places.values()].filter(({ start }) => start >= 0)
  return { edits: inTexts.map(({ before, after, ...place }) => ({ at: place, text: before + name + after })) }
}

interface Location extends TextRange {
  before: string
  after: string
}

/**
 * Where the name at an offset stands; offsets are those of the text of a cell, negative in its prelude. Null if it also
 * stands in what is no cell.
 */
function locations({ service, cellAt }: Files, { path, prelude }: CellFile, offset: number): Location[] | null {
  // With what goes before and after, `{ gated }` becomes `{ gated: other }`: the variant keeps its name.
  const preferences = { providePrefixAndSuffixTextForRename: true }
  const found = service.findRenameLocations(path, prelude.length + offset, false, false, preferences) ?? []
  const inCells = found.flatMap(({ fileName, textSpan, prefixText = '', suffixText = '' }) => {
    const cell = cellAt(fileName)
    const start = textSpan.start - (cell?.prelude.length ?? 0)
    return cell ? { key: cell.key, start, end: start + textSpan.length, before: prefixText, after: suffixText } : []
  })
  return inCells.length === found.length ? inCells : null
}

/** The other cells that mean the same thing by a name. */
function othersWith(files: Files, cell: CellFile, name: string): CellFile[] {
  const definer = cell.defines.has(name) ? cell : files.definer(name)
  if (definer !== files.definer(name)) return []
  const means = (other: CellFile) => other === definer || (other.words.has(name) && !other.defines.has(name))
  return files.cells().filter((other) => other !== cell && means(other))
}

/** An offset at which a cell defines or imports a name. */
function nameIn({ defines, prelude }: CellFile, name: string): number {
  return defines.get(name) ?? prelude.indexOf(`{ ${name} }`) + '{ '.length - prelude.length
}

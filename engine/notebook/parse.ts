import { idsOf } from './ids.ts'
import { readSections, type Section } from './sections.ts'
import type { Cell } from './types.ts'

/**
 * Reads a notebook in percent format, as this or another editor wrote it. Line ends become LF, and one blank line before
 * a header belongs to no cell. A name that is already taken gets `-2`, `-3`, ...
 */
export function parseNotebook(text: string): Cell[] {
  return cellsOf(readSections(text).sections)
}

/** The cells of the sections of a file. */
export function cellsOf(sections: Section[]): Cell[] {
  const ids = idsOf(
    sections.map(({ name }) => name),
    sections[0]?.head === null,
  )
  return sections.map(({ kind, source, metadata }, index) => ({
    id: ids[index] ?? '',
    kind,
    source,
    ...(metadata ? { metadata } : {}),
  }))
}

import type { Cell } from '../types.ts'
import { type JupyterOutput, linesOf } from './types.ts'

const CELL_TYPES = { code: 'code', markdown: 'markdown', sql: 'raw', raw: 'raw' } as const

/**
 * Writes cells, and what they showed, as a Jupyter notebook (nbformat 4.5). SQL becomes raw text. `readIpynb` gives the
 * same cells.
 */
export function writeIpynb(cells: Cell[], outputs: ReadonlyMap<string, JupyterOutput[]> = new Map()): string {
  const ids = jupyterIds(cells)
  const notebook = {
    cells: cells.map((cell, index) => ({
      cell_type: CELL_TYPES[cell.kind],
      id: ids[index],
      metadata: metadataOf(cell),
      source: linesOf(cell.source),
      ...(cell.kind === 'code' ? { execution_count: null, outputs: outputs.get(cell.id) ?? [] } : {}),
    })),
    metadata: {
      kernelspec: { name: 'mixlab', display_name: 'Mixlab', language: 'typescript' },
      language_info: { name: 'typescript', file_extension: '.ts', mimetype: 'text/typescript' },
    },
    nbformat: 4,
    nbformat_minor: 5,
  }
  return `${JSON.stringify(notebook, null, 1)}\n`
}

/** Letters, digits, `-` and `_`, at most 64, each once. */
function jupyterIds(cells: Cell[]): string[] {
  const taken = new Set<string>()
  return cells.map(({ id }) => {
    const plain = id.replace(/[^\w-]+/g, '-').slice(0, 56) || 'cell'
    let free = plain
    for (let n = 2; taken.has(free); n++) free = `${plain}-${n}`
    taken.add(free)
    return free
  })
}

function metadataOf({ id, kind, metadata }: Cell): Record<string, unknown> {
  return {
    ...parsed(metadata),
    mixlab: { id, ...(kind === 'sql' ? { kind } : {}), ...(metadata ? { metadata } : {}) },
  }
}

/** Metadata that is JSON, e.g. tags, is metadata for Jupyter too. */
function parsed(metadata = ''): object {
  try {
    return metadata.startsWith('{') ? JSON.parse(metadata) : {}
  } catch {
    return {}
  }
}

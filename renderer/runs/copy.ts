import { messageOf } from '../../engine/errors.ts'
import { runsCsv } from '../../engine/runs/csv.ts'
import { textTable, toLatex, toMarkdown } from '../../engine/runs/table.ts'
import type { RunsQuery } from '../../engine/runs/types.ts'
import { saveBytes } from '../host/saveBytes.ts'
import { copyText } from '../ui/copyText.ts'
import { notify } from '../ui/notices.ts'
import { askRows, type RunsRow } from './rows.ts'
import { useTable } from './state.ts'
import type { Shown } from './useListing.ts'

/** Rows that a table in a text has at most. */
const MAX_COPIED_ROWS = 1000
/** Rows that are fetched together for a file. */
const PART = 5000

/** Puts the table, of the chosen runs if there are any, on the clipboard. */
export async function copyTable(shown: Shown, format: 'Markdown' | 'LaTeX'): Promise<void> {
  try {
    const { total, rows } = await askRows(
      { ...queryOf(shown), offset: 0, limit: MAX_COPIED_ROWS },
      useTable.getState().grouped,
    )
    const table = textTable(
      shown.columns.map(({ column }) => column),
      rows.map((row) => row.values),
    )
    const part = total > rows.length ? `The first ${rows.length} of ${total} rows` : 'The table'
    await copyText(format === 'LaTeX' ? toLatex(table) : toMarkdown(table), `${part} as ${format}`)
  } catch (error) {
    notify({ tone: 'bad', text: `The table was not copied: ${messageOf(error)}` })
  }
}

/** Lets the user keep all rows of the filter, or those of the chosen runs, as CSV. */
export async function exportCsv(shown: Shown): Promise<void> {
  const { grouped } = useTable.getState()
  try {
    const rows: RunsRow[] = []
    for (;;) {
      const part = await askRows({ ...queryOf(shown), offset: rows.length, limit: PART }, grouped)
      rows.push(...part.rows)
      if (part.rows.length < PART) break
    }
    const names = shown.columns.map(({ name }) => name)
    const text = runsCsv(
      names,
      rows.map((row) => row.values),
    )
    await saveBytes(grouped ? 'variants.csv' : 'runs.csv', new TextEncoder().encode(text))
  } catch (error) {
    notify({ tone: 'bad', text: `The table was not saved: ${messageOf(error)}` })
  }
}

function queryOf({ columns, sort }: Shown): Omit<RunsQuery, 'offset' | 'limit'> {
  const { filter, chosen } = useTable.getState()
  const only = chosen.size > 0 ? ` id:${[...chosen].join(',')}` : ''
  return { filter: `${filter}${only}`, sort, columns: columns.map(({ name }) => name) }
}

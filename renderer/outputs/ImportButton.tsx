import { language } from '../editor/language/client.ts'
import { edited } from '../editor/language/edits.ts'
import type { Fix } from '../editor/language/protocol.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { setSource } from '../session/actions.ts'
import { runCells } from '../session/run.ts'
import { useNotebook } from '../session/state.ts'

/** Imports what a cell lacks, where modules have it, and runs the cell again. */
export function ImportButton({ id, name }: { id: string; name: string }) {
  const cell = useNotebook((state) => state.cells.find((each) => each.id === id))
  const { value: fix } = useAnswer(`${cell?.source}`, async () => (cell ? importFix(cell.key, name) : null))
  if (!cell || !fix) return null
  const act = () => {
    setSource(cell.key, edited(cell.source, fix.edits))
    runCells([id])
  }
  return (
    <button type="button" className="button" data-testid="add-import" onClick={act}>
      {fix.title} and run
    </button>
  )
}

/** All imports that the cell lacks, else that of the name. */
async function importFix(key: string, name: string): Promise<Fix | null> {
  const fixes = await language().fixes(key, 0, Number.MAX_SAFE_INTEGER)
  const [all] = fixes.filter(({ kind, title }) => kind === 'importAll' && title.includes(`'${name}'`))
  return all ?? fixes.find(({ kind, title }) => kind === 'import' && new RegExp(`\\b${name}\\b`).test(title)) ?? null
}

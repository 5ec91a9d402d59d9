import { language } from '../../editor/language/client.ts'
import { edited } from '../../editor/language/edits.ts'
import type { Fix } from '../../editor/language/protocol.ts'
import { useAnswer } from '../../host/useAnswer.ts'
import { setSource } from '../../session/actions.ts'
import { runCells } from '../../session/run.ts'
import { useNotebook } from '../../session/state.ts'
import { Button } from '../../ui/Button.tsx'

/**
 * Offers what mends an error about a name that is not known, `gated:8: add is not defined`, in the cell that it names or
 * else in cell `run`: the missing imports, or the name as it was meant. Then cell `run` runs again.
 */
export function MendButton({ error, run }: { error: string; run: string }) {
  const [, place = run, name] = /^(?:(.+?)(?::\d+)?: )?([\w$]+) is not defined\b/.exec(error) ?? []
  const cell = useNotebook((state) => state.cells.find((each) => each.id === place))
  const { value: fix } = useAnswer(`${name} ${cell?.source}`, async () => (cell && name ? fixOf(cell, name) : null))
  if (!cell || !fix) return null
  const act = () => {
    setSource(cell.key, edited(cell.source, fix.edits))
    runCells([run])
  }
  return (
    <Button testId="add-import" onClick={act}>
      {fix.title} and run
    </Button>
  )
}

/** Imports all names that the cell lacks, else the one name, else corrects its spelling. */
async function fixOf({ key, source }: { key: string; source: string }, name: string): Promise<Fix | null> {
  const fixes = await language().fixes(key, 0, Number.MAX_SAFE_INTEGER)
  const [all] = fixes.filter(({ kind, title }) => kind === 'importAll' && title.includes(`'${name}'`))
  const imported = fixes.find(({ kind, title }) => kind === 'import' && new RegExp(`\\b${name}\\b`).test(title))
  const replaced = ({ edits }: Fix) => edits.some(({ at }) => source.slice(at.start, at.end) === name)
  return all ?? imported ?? fixes.find((each) => each.kind === 'spelling' && replaced(each)) ?? null
}

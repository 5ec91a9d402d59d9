import { lineNamed } from '../../../engine/records/diverged.ts'
import { goToLine } from '../../model/goToLine.ts'
import { useNotebook } from '../../session/state.ts'
import { Button } from '../../ui/Button.tsx'

/** Goes to the line that an error names, where the open notebook has its cell. */
export function LineButton({ error }: { error: string }) {
  const line = lineNamed(error)
  const isHere = useNotebook(({ cells }) => cells.some(({ id }) => line?.startsWith(`${id}:`)))
  if (line === null || !isHere) return null
  return (
    <Button look="small" testId="go-to-line" onClick={() => goToLine(line)}>
      Go to {line}
    </Button>
  )
}

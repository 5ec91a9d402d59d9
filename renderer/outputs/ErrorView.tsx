import { messageOf } from '../../engine/errors.ts'
import { host } from '../host/state.ts'
import type { CellError } from '../protocol/output.ts'
import { runCells } from '../session/run.ts'
import { MendButton } from '../study/failures/MendButton.tsx'
import { Button } from '../ui/Button.tsx'
import { notify } from '../ui/notices.ts'

/** Why a cell failed, and what can be done about it here. `calm` where the user wanted it to end. */
export function ErrorView({ id, error, calm }: { id: string; error: CellError; calm: boolean }) {
  const { code, path, message, line } = error
  return (
    <div className={calm ? 'error calm' : 'error'} role={calm ? undefined : 'alert'} data-testid="error">
      {line !== null && <span className="error-line">line {line}</span>}
      <span className="error-text">{message}</span>
      <MendButton error={message} run={id} />
      {code === 'permission' && path && (
        <Button testId="allow" onClick={() => void allow(id, path)}>
          Allow reading {path}
        </Button>
      )}
    </div>
  )
}

async function allow(id: string, path: string): Promise<void> {
  try {
    await host().allowData(path)
    runCells([id])
  } catch (error) {
    notify({ tone: 'bad', text: messageOf(error) })
  }
}

import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { closeDialog } from '../ui/dialog.ts'
import { leave, placeOf, useLeaving } from './leaving.ts'

/** Asks whether a link out of the page is to be opened. */
export function LeavingView() {
  const address = useLeaving((state) => state.address)
  if (!address) return null
  return (
    <Dialog label="open a link" className="leaving">
      <h2>Open {placeOf(address)}?</h2>
      <p className="muted address">{address.href.slice(0, 500)}</p>
      <div className="buttons">
        <Button onClick={closeDialog}>Stay here</Button>
        <Button look="primary" onClick={() => leave()} testId="leave">
          Open
        </Button>
      </div>
    </Dialog>
  )
}

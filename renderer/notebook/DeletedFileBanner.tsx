import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { restoreNotebook } from '../session/files/bin.ts'
import { writeAgain } from '../session/files/save.ts'
import { useNotebook } from '../session/state.ts'
import { Button } from '../ui/Button.tsx'

/** Says that the file of the open notebook was deleted, and brings it back. */
export function DeletedFileBanner() {
  const gone = useNotebook((state) => state.fileDeleted)
  if (!gone) return null
  return (
    <section className="conflicts" role="alert" data-testid="gone">
      <p>The file of this notebook was deleted. Its cells stay on this page, and nothing is saved.</p>
      <BringBack />
    </section>
  )
}

/** From the bin, or else from this page. */
function BringBack() {
  const name = useNotebook((state) => state.name)
  const { value } = useAnswer(`bin ${name}`, () => host().listDeleted())
  const binned = value?.find((each) => each.name === name)
  return (
    <Button onClick={() => (binned ? void restoreNotebook(binned.id) : writeAgain())}>
      {binned ? 'Bring it back' : 'Write it again'}
    </Button>
  )
}

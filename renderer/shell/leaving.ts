import { create } from 'zustand'
import { desktop } from '../host/desktop.ts'
import { closeDialog, openDialog } from '../ui/dialog.ts'

/** The address that the user is asked about. */
export const useLeaving = create<{ address: URL | null }>(() => ({ address: null }))

/** Has every link that leads out of the page asked about before it opens; on the desktop the main process asks. */
export function askBeforeLeaving(): void {
  for (const type of ['click', 'auxclick'] as const) {
    document.addEventListener(
      type,
      (event) => {
        const address = addressOf(event.target)
        if (!address || leadsInside(address, location.origin) || desktop()) return
        event.preventDefault()
        event.stopPropagation()
        useLeaving.setState({ address })
        openDialog('leaving')
      },
      { capture: true },
    )
  }
}

/** Opens the address that was asked about. */
export function leave({ address } = useLeaving.getState()): void {
  closeDialog()
  if (address) window.open(address, '_blank', 'noopener,noreferrer')
}

/** Whether an address is one of the page, or what the page itself has made. */
export function leadsInside({ origin, protocol }: URL, own: string): boolean {
  return origin === own && protocol !== 'data:' && protocol !== 'javascript:'
}

/** What a person knows an address by: its host, or of mail whom it goes to. */
export function placeOf({ protocol, host, pathname }: URL): string {
  return protocol === 'mailto:' ? pathname : host || protocol
}

/** Links of pictures have their address elsewhere than others. */
function addressOf(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest('a, area') : null
  const href = link?.getAttribute('href') ?? link?.getAttribute('xlink:href') ?? null
  return href === null ? null : URL.parse(href, document.baseURI)
}

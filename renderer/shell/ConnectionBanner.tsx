import { useConnection } from '../host/state.ts'

const TEXTS = {
  connecting: null,
  open: null,
  lost: 'Connection lost, reconnecting. Changes are kept on this page until then.',
  refused: 'Mixlab needs its token: open the address that it printed when it started, which ends in #token=...',
  absent: 'The workspace does not answer, trying again.',
}

/** Tells that the workspace cannot be reached, or does not let this page in. */
export function ConnectionBanner() {
  const text = TEXTS[useConnection((state) => state.phase)]
  if (!text) return null
  return (
    <div className="banner" role="alert" data-testid="connection">
      {text}
    </div>
  )
}

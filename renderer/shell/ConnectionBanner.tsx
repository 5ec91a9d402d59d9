import { useConnection } from '../host/state.ts'

const TEXTS = {
  connecting: null,
  open: null,
  lost: 'Connection lost, reconnecting. Changes are kept on this page until then.',
  absent: 'The workspace does not answer, trying again.',
}

/** Tells that the workspace cannot be reached. */
export function ConnectionBanner() {
  const text = TEXTS[useConnection((state) => state.phase)]
  if (!text) return null
  return (
    <div className="banner" role="alert" data-testid="connection">
      {text}
    </div>
  )
}

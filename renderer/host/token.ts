import { remember, remembered } from '../ui/remembered.ts'

const KEY = 'mixlab.token'
/** `#token=...`, and a place of the page that may follow it. */
const GIVEN = /^#token=([\w-]+)(#.*)?$/s

/** Of an address that was opened; not known to be the right one. */
let given: string | null = null
/** Ends the wait for the next try to connect. */
let wake = () => {}

/**
 * Takes tokens out of the address of the page, now and later, and notices tokens that other pages of the browser were
 * given.
 */
export function watchTokens(): void {
  takeToken()
  window.addEventListener('hashchange', takeToken)
  window.addEventListener('storage', ({ key }) => key === KEY && wake())
}

/** Waits so many ms, or until a token is given. */
export function untilToken(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

/** Takes the token out of the address, in which it would be seen, kept and copied. */
function takeToken(): void {
  const [, token, place = ''] = GIVEN.exec(location.hash) ?? []
  if (!token) return
  given = token
  history.replaceState(null, '', location.pathname + place)
  wake()
}

/** The token to ask the workspace with; null where the browser knows none. */
export function wantedToken(): string | null {
  const kept = remembered(KEY)
  return given ?? (typeof kept === 'string' && /^[\w-]+$/.test(kept) ? kept : null)
}

/**
 * Has the browser keep a token that has opened the workspace, for all pages of this address. One that was refused is dropped
 * where an address gave it: any page elsewhere can have a link to this one, with any token.
 */
export function settleToken(token: string | null, opened: boolean): void {
  if (opened) remember(KEY, token)
  if (given === token && (!opened || remembered(KEY) === token)) given = null
}

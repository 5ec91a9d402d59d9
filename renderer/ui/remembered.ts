/** A choice of the user that the browser has kept, or this tab alone, or null. It may be damaged: the caller has to check it. */
export function remembered(key: string, inTab = false): unknown {
  try {
    return JSON.parse((inTab ? sessionStorage : localStorage).getItem(key) ?? 'null')
  } catch {
    return null // not ours, or there is no storage
  }
}

/** Lets the browser keep a choice; without storage, or with a full one, it lasts as long as the page. */
export function remember(key: string, choice: unknown, inTab = false): void {
  try {
    ;(inTab ? sessionStorage : localStorage).setItem(key, JSON.stringify(choice))
  } catch {
    // the page has it
  }
}

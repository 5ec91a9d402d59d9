import { vi } from 'vitest'

/** Puts a storage of the browser in the place of a global; what it keeps. */
export function stubStorage(
  name: 'localStorage' | 'sessionStorage' = 'localStorage',
  kept = new Map<string, string>(),
) {
  vi.stubGlobal(name, {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  return kept
}

import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

async function themeIn(localStorage: object | undefined) {
  const root = { dataset: {} as Record<string, string> }
  vi.resetModules()
  vi.stubGlobal('window', { matchMedia: () => ({ matches: true, addEventListener() {} }) })
  vi.stubGlobal('document', { documentElement: root })
  vi.stubGlobal('localStorage', localStorage)
  return { root, ...(await import('../../../renderer/ui/theme.ts')) }
}

it('keeps the theme, and does without storage', async () => {
  const kept = new Map<string, string>()
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) }
  const first = await themeIn(storage)
  expect(first.useTheme.getState()).toEqual({ theme: 'system', dark: true })
  first.setTheme('light')
  expect(first.root.dataset).toEqual({ theme: 'light' })
  expect((await themeIn(storage)).useTheme.getState()).toEqual({ theme: 'light', dark: false })

  const without = await themeIn(undefined)
  without.setTheme('dark')
  expect(without.useTheme.getState().theme).toBe('dark')
})

it('takes what is not a theme as none', async () => {
  const { useTheme } = await themeIn({ getItem: () => '"pink"', setItem() {} })
  expect(useTheme.getState().theme).toBe('system')
})

import { afterEach, expect, it, vi } from 'vitest'
import { remember, remembered } from '../../../renderer/ui/remembered.ts'

afterEach(() => vi.unstubAllGlobals())

it('keeps choices, and passes over what is not its own', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  remember('runs', 4)
  expect(remembered('runs')).toBe(4)
  expect(remembered('theme')).toBeNull()
  kept.set('runs', '{')
  expect(remembered('runs')).toBeNull()
})

it('does without storage', () => {
  vi.stubGlobal('localStorage', undefined)
  remember('runs', 4)
  expect(remembered('runs')).toBeNull()
})

import { afterEach, expect, it, vi } from 'vitest'
import { remember, remembered } from '../../../renderer/ui/remembered.ts'
import { stubStorage } from '../storage.ts'

afterEach(() => vi.unstubAllGlobals())

it('keeps choices, and passes over what is not its own', () => {
  const kept = stubStorage()
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

import { afterEach, expect, it, vi } from 'vitest'
import { adapterCheckStore } from '../../../../renderer/session/kernel/adapterCheckStore.ts'
import { stubStorage } from '../../storage.ts'

afterEach(() => void vi.unstubAllGlobals())

it('keeps what a kernel tells of an adapter for its notebook alone', async () => {
  stubStorage()
  const [own, other] = [adapterCheckStore(() => 'a.ts'), adapterCheckStore(() => 'b.ts')]
  expect(await own.selfTested('card')).toBeNull()
  await own.noteSelfTest('card', 'wrong')
  await other.noteSelfTest('card', null)
  expect(await own.selfTested('card')).toEqual({ why: 'wrong' })
  expect(await other.selfTested('card')).toEqual({ why: null })
  await own.noteSelfTest('card', null)
  expect(await own.selfTested('card')).toEqual({ why: null })
})

it('takes texts alone, and no more than has room, so that what is typed finds its place', async () => {
  const kept = stubStorage()
  const { selfTested, noteSelfTest } = adapterCheckStore(() => 'a.ts')
  for (let i = 0; i < 60; i++) await noteSelfTest('x'.repeat(1e6), 'y'.repeat(1e6))
  expect([...kept.values()].join().length).toBeLessThan(150_000)
  await expect(noteSelfTest({ length: 0 } as never, null)).rejects.toThrow()
  kept.set('mixlab.selfTests', '{"old":null}')
  expect(await selfTested('old')).toBeNull()
})

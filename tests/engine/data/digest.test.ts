import { expect, it } from 'vitest'
import { digest, runningDigest } from '../../../engine/data/digest.ts'

it('is SHA-256 in hex, the same for a text and its bytes', () => {
  expect(digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(digest(new Uint8Array([97, 98, 99]))).toBe(digest('abc'))
})

it('is the same of bytes that come piece by piece', () => {
  const running = runningDigest()
  for (const part of [[97], [98, 99], []]) running.add(new Uint8Array(part))
  expect(running.hex()).toBe(digest('abc'))
})

import { describe, expect, it } from 'vitest'
import { leftOut, queueAddress, shownAddress } from '../../../app/queue/address.ts'

describe('the address of a queue', () => {
  it.each([
    ['redis://desk', null],
    [
      'redis://me:secret@desk',
      'its password is left out here: redis://user:password@host, or all of that in MIXLAB_QUEUE',
    ],
    ['redis://localhost', 'from elsewhere localhost is reached through ssh'],
    ['rediss://:secret@127.0.0.1:6380', /its password .*; from elsewhere 127.0.0.1 is reached through ssh/],
  ])('%s is shown without password, and it is said what is missing', (address, missing) => {
    expect(shownAddress(queueAddress(address, '--queue'))).not.toMatch(/secret|me/)
    if (missing === null) expect(leftOut(address)).toBeNull()
    else expect(leftOut(address)).toMatch(missing)
  })
})

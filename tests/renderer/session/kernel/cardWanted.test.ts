import { beforeEach, expect, it } from 'vitest'
import { cardWanted, wantCard } from '../../../../renderer/session/kernel/cardWanted.ts'
import { stubStorage } from '../../storage.ts'

const USUAL = { power: 'high-performance', losses: 0 }
let kept: Map<string, string>
beforeEach(() => {
  kept = stubStorage()
})

it('keeps which card is wanted, and how often one was lost', () => {
  expect(cardWanted()).toEqual(USUAL)
  wantCard({ power: 'low-power' })
  wantCard({ losses: 1 })
  expect(cardWanted()).toEqual({ power: 'low-power', losses: 1 })
})

it.each(['no JSON', '3', '{"power":"any","losses":0}', '{"power":"low-power","losses":40}'])(
  'takes %s for nothing',
  (text) => {
    kept.set('mixlab.card', text)
    expect(cardWanted()).toEqual(USUAL)
  },
)

import { beforeEach, expect, it, vi } from 'vitest'
import { cardWanted, wantCard } from '../../../../renderer/session/kernel/cardWanted.ts'

const USUAL = { power: 'high-performance', losses: 0 }
let kept: Record<string, string> = {}

beforeEach(() => {
  kept = {}
  const storage = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, text: string) => (kept[key] = text),
  }
  vi.stubGlobal('localStorage', storage)
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
    kept['mixlab.card'] = text
    expect(cardWanted()).toEqual(USUAL)
  },
)
